'use strict'
// Says back what it hears, and to everybody who is there how many they are.
const http = require('node:http')
const { WebSocketServer } = require('ws')

const server = http.createServer((_request, response) => response.end('talk to /echo or /room'))
const echo = new WebSocketServer({ noServer: true, handleProtocols: (protocols) => [...protocols][0] })
const room = new WebSocketServer({ noServer: true })

echo.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
})
room.on('connection', (socket) => {
  for (const one of room.clients) one.send(`${room.clients.size} here`)
  socket.on('message', (data) => {
    for (const one of room.clients) one.send(String(data).toUpperCase())
  })
})
server.on('upgrade', (request, socket, head) => {
  const chosen = { '/echo': echo, '/room': room }[request.url]
  if (!chosen) {
    socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
    return
  }
  chosen.handleUpgrade(request, socket, head, (made) => chosen.emit('connection', made, request))
})
server.listen(Number(process.env.PORT), () => console.log('listening'))
