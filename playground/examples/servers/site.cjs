'use strict'
// What servers do that are written without a framework: forms, cookies, files in parts, other addresses, failures.
const http = require('node:http')
const { createReadStream } = require('node:fs')
const { pipeline } = require('node:stream')
const { createGzip } = require('node:zlib')

const visits = new Map()
let last = 0

function cookiesOf({ headers }) {
  return new URLSearchParams((headers.cookie ?? '').replaceAll('; ', '&'))
}
async function bodyOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

const routes = {
  'GET /': (_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end('<form method="post" action="/name"><input name="name"></form>')
  },
  'POST /name': async (request, response) => {
    const name = new URLSearchParams(await bodyOf(request)).get('name') || 'nobody'
    response.writeHead(303, { Location: '/visits', 'Set-Cookie': [`name=${encodeURIComponent(name)}`, 'seen=yes'] })
    response.end()
  },
  'GET /visits': (request, response) => {
    const name = cookiesOf(request).get('name')
    if (!name) return response.writeHead(401, { 'WWW-Authenticate': 'Form' }).end('who are you?')
    visits.set(name, (visits.get(name) ?? 0) + 1)
    return response.end(`${name}: ${visits.get(name)}`)
  },
  'GET /parts': (_request, response) => {
    const parts = ['one ', 'żółw ', 'three']
    const next = () => {
      const part = parts.shift()
      if (part === undefined) return response.end()
      response.write(part)
      return setImmediate(next)
    }
    next()
  },
  'GET /own': (_request, response) => {
    response.setHeader('Content-Type', 'text/plain')
    pipeline(createReadStream(__filename, { end: 11 }), response, () => undefined)
  },
  'GET /packed': (_request, response) => {
    const packing = createGzip()
    const parts = []
    packing.on('data', (part) => parts.push(part)).on('end', () => response.end(`${parts.length > 0}`))
    packing.end('packed')
  },
  'PUT /json': async (request, response) => {
    try {
      const { numbers } = JSON.parse(await bodyOf(request))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ sum: numbers.reduce((sum, one) => sum + one, 0) }))
    } catch (error) {
      response.statusCode = 400
      response.end(error.name)
    }
  },
  'POST /length': (request, response) => response.end(String(request.headers['content-length'])),
  'GET /asks': (request, response) => {
    last += 1
    const asked = http.get({ port: request.socket.localPort, path: `/parts?${last}`, agent: false }, (answer) =>
      answer.pipe(response.writeHead(answer.statusCode)),
    )
    asked.on('error', (error) => response.writeHead(502).end(error.code))
  },
  'GET /broken': (_request, response) => {
    response.write('a part')
    setImmediate(() => response.destroy())
  },
}

const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://site')
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const route = routes[`${method} ${pathname}`]
  if (!route) return response.writeHead(404, { 'Content-Type': 'text/plain' }).end(`nothing at ${pathname}`)
  return route(request, response)
})
server.listen(Number(process.env.PORT), () => console.log('listening'))
