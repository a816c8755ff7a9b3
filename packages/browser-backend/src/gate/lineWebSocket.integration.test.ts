import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import type { WebSocket as Peer } from 'ws'
import type { FromServer, ToServer } from '../common/httpLine.ts'
import { LineWebSocket } from './lineWebSocket.ts'

// Against the server that most people use, over a line that ends in a socket to it.

let server: WebSocketServer
let port: number
const lines: MessagePort[] = []
/** Node 20 has none. */
class CloseEvent extends Event {
  readonly code: number
  readonly reason: string
  readonly wasClean: boolean
  constructor(name: string, { code, reason, wasClean }: { code: number; reason: string; wasClean: boolean }) {
    super(name)
    this.code = code
    this.reason = reason
    this.wasClean = wasClean
  }
}

beforeEach(async () => {
  vi.stubGlobal('CloseEvent', CloseEvent)
  vi.stubGlobal('navigator', { userAgent: 'test' })
  vi.stubGlobal('location', { origin: 'http://x-3000.preview.test' })
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  vi.unstubAllGlobals()
  for (const line of lines.splice(0)) line.close()
  for (const client of server.clients) client.terminate()
  server.close()
})

/** What a process does at its end of a line, with a server that has a network. */
function serve(line: MessagePort): void {
  lines.push(line)
  const post = (message: FromServer) => line.postMessage(message)
  const socket = connect(port, '127.0.0.1')
  socket.on('data', (data) => post({ type: 'data', id: 1, data: new Uint8Array(data) }))
  socket.on('close', () => post({ type: 'data', id: 1, data: null }))
  socket.on('error', (error) => post({ type: 'failed', id: 1, message: error.message }))
  line.onmessage = ({ data }: MessageEvent<ToServer>) => {
    if (data.type === 'gone') socket.destroy()
    else if (data.type === 'data') {
      if (data.data === null) socket.end()
      else socket.write(data.data)
    } else {
      const head = data.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      socket.write(`${data.method} ${data.url} HTTP/1.1\r\n${head}\r\n`)
    }
  }
}

function open(protocols: string[] = [], path = '/'): LineWebSocket {
  return new LineWebSocket(new URL(path, 'ws://x-3000.preview.test'), protocols, async () => {
    const { port1, port2 } = new MessageChannel()
    serve(port2)
    lines.push(port1)
    return port1
  })
}
const next = <E extends Event = Event>(socket: LineWebSocket, name: string): Promise<E> =>
  new Promise((resolve) => socket.addEventListener(name, (event) => resolve(event as E), { once: true }))
const peer = async (): Promise<Peer> => ((await once(server, 'connection')) as [Peer])[0]

it('BB895: opens with the protocol that both speak, and carries texts and bytes in their order', async () => {
  const connected = once(server, 'connection')
  const socket = open(['chat', 'other'], '/room?a=1')
  const [other, request] = (await connected) as [Peer, { url: string; headers: Record<string, string> }]
  await next(socket, 'open')
  expect([socket.readyState, socket.protocol, request.url, request.headers['origin']]).toEqual([
    1,
    'chat',
    '/room?a=1',
    'http://x-3000.preview.test',
  ])
  const heard: unknown[] = []
  other.on('message', (data: Buffer, isBinary: boolean) => heard.push(isBinary ? [...data] : data.toString()))
  socket.send(new Blob(['first']))
  socket.send('zwei ü')
  socket.send(new Uint8Array([1, 2, 3]).subarray(1))
  socket.send('x'.repeat(100_000))
  await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(4)
  expect(heard.slice(0, 3)).toEqual([[...Buffer.from('first')], 'zwei ü', [2, 3]])
  socket.binaryType = 'arraybuffer'
  const said: unknown[] = []
  socket.onmessage = ({ data }) => said.push(data)
  other.ping()
  other.send('eins')
  other.send(new Uint8Array(70_000).fill(7))
  await once(other, 'pong')
  await expect.poll(() => said.length, { timeout: 20_000 }).toBe(2)
  expect(said[0]).toBe('eins')
  expect(new Uint8Array(said[1] as ArrayBuffer)).toEqual(new Uint8Array(70_000).fill(7))
})

it('BB895: closes with what either side has to say', async () => {
  const connected = peer()
  const socket = open()
  const other = await connected
  await next(socket, 'open')
  const closed = once(other, 'close')
  const ended = next<CloseEvent>(socket, 'close')
  socket.close(3001, 'done')
  expect(socket.readyState).toBe(2)
  const [code, reason] = (await closed) as [number, Buffer]
  expect([code, reason.toString()]).toEqual([3001, 'done'])
  expect(await ended).toMatchObject({ code: 3001, reason: 'done', wasClean: true })

  const again = peer()
  const second = open()
  const secondPeer = await again
  await next(second, 'open')
  secondPeer.close(1001, 'going')
  expect(await next<CloseEvent>(second, 'close')).toMatchObject({ code: 1001, reason: 'going', wasClean: true })
  expect(() => second.close(1)).toThrow(/no status/)
})

it('BB895: says that it failed when the server refuses, goes, or is not there', async () => {
  const refused = new LineWebSocket(new URL('ws://x-3000.preview.test/'), [], async () => null)
  const events: string[] = []
  for (const name of ['error', 'close']) refused.addEventListener(name, () => events.push(name))
  expect(await next<CloseEvent>(refused, 'close')).toMatchObject({ code: 1006, wasClean: false })
  expect(events).toEqual(['error', 'close'])

  const connected = peer()
  const socket = open()
  const other = await connected
  await next(socket, 'open')
  other.terminate()
  expect(await next<CloseEvent>(socket, 'close')).toMatchObject({ code: 1006, wasClean: false })
  expect(socket.readyState).toBe(3)
})
