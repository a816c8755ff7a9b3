// A bare `ws` server on a unix socket that passes each message on to everyone: `node wsBroadcast.mjs SOCKET`.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

const server = createServer()
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
sockets.on('connection', (socket) => {
  socket.on('message', (data) => {
    for (const other of sockets.clients) other.send(String(data))
  })
})
server.listen(process.argv[2])
