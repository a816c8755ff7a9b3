/**
 * A tiny program that keeps the contract of a dev server towards drivers, for their tests: it answers /status, /flush,
 * /hibernate and /adopt, relays CONNECT, and runs commands that tests send to /run.
 */
import { execFile } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'

const { BOXYARD_SOCKET, BOXYARD_STATE, STAND_IN } = process.env

console.log(`stand-in starts as ${process.env.BOXYARD_BOOT} in epoch ${process.env.BOXYARD_EPOCH}`)
if (STAND_IN === 'exit') {
  console.error('the stand-in was told to end')
  process.exit(3)
}

const listeners = new Map()

const server = http.createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (text) => (body += text))
  request.on('end', () => {
    const answer = (content, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
    }
    if (request.url === '/status') return answer({ ready: true, setup: null, tasks: [], ports: [...listeners.keys()] })
    if (request.url === '/flush') {
      appendFileSync(`${BOXYARD_STATE}/flushed`, 'flushed\n')
      return answer({})
    }
    if (request.url === '/hibernate') {
      appendFileSync(`${BOXYARD_STATE}/flushed`, 'asleep\n')
      return answer({})
    }
    if (request.url === '/adopt') {
      const { boxId, epoch } = JSON.parse(body)
      Object.assign(process.env, { BOXYARD_BOX_ID: boxId, BOXYARD_EPOCH: String(epoch), BOXYARD_BOOT: 'FORK' })
      return answer({})
    }
    if (request.url === '/env') return answer(process.env)
    if (request.url === '/listen') {
      const { port, text } = JSON.parse(body)
      const listener = http.createServer((_, reply) => reply.end(text)).listen(port, '127.0.0.1', () => answer({}))
      listeners.set(port, listener)
      return
    }
    if (request.url === '/run') {
      const { command, args } = JSON.parse(body)
      execFile(command, args, { maxBuffer: 1e7 }, (error, stdout, stderr) => {
        answer({ code: error ? (error.code ?? null) : 0, signal: error?.signal ?? null, stdout, stderr })
      })
      return
    }
    answer({}, 404)
  })
})

server.on('connect', (request, client, head) => {
  const [host, port] = request.url.split(':')
  const target = net.connect({ host, port: Number(port) })
  target.once('connect', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) target.write(head)
    target.pipe(client).pipe(target)
  })
  target.once('error', () => client.end('HTTP/1.1 502 Bad gateway\r\n\r\n'))
  client.once('error', () => target.destroy())
})

process.on('SIGTERM', () => {
  appendFileSync(`${BOXYARD_STATE}/ended`, 'ended in order\n')
  process.exit(0)
})
// One that was killed has left its socket.
rmSync(BOXYARD_SOCKET, { force: true })
if (STAND_IN !== 'silent') server.listen(BOXYARD_SOCKET)
else setInterval(() => undefined, 60_000)
