import { createServer, connect, type Socket } from 'node:net'
import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startDevServer, type DevServer } from './devServer.ts'
import { startEgressRelay } from './http/egressRelay.ts'
import { createLog } from './log.ts'
import { createTestBox, type TestBox } from './testing/testBox.ts'
import { TestClient } from './testing/testClient.ts'

describe('dev server', () => {
  let box: TestBox
  let server: DevServer
  const lines: string[] = []

  beforeEach(async () => {
    lines.length = 0
    box = await createTestBox()
    server = await startDevServer(
      box.configuration,
      createLog((line) => lines.push(line)),
    )
  })
  afterEach(async () => {
    await server.stop()
    await box.remove()
  })

  const join = async (claims = {}, options = {}): Promise<TestClient> =>
    TestClient.join(box.configuration.socket, await box.token(claims), options)

  const http = async (method: string, path: string): Promise<{ status: number; body: unknown }> => {
    const sent = request({ socketPath: box.configuration.socket, method, path }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk
    return { status: response.statusCode ?? 0, body: JSON.parse(text) }
  }

  it('DS1: refuses a socket without a token of this box and run', async () => {
    const open = (token: string): Promise<TestClient> => TestClient.open(box.configuration.socket, token)
    await expect(open('')).rejects.toThrow('401')
    await expect(open('not.a.token')).rejects.toThrow('401')
    await expect(open(await box.token({ exp: 1 }))).rejects.toThrow('401')
    await expect(open(await box.token({ aud: 'other' }))).rejects.toThrow('403')
    await expect(open(await box.token({ epoch: 6 }))).rejects.toThrow('403')
    const other = await createTestBox()
    await expect(open(await other.token())).rejects.toThrow('401')
    await other.remove()
  })

  it('DS2: a join answers identity, capabilities and permissions', async () => {
    const client = await join()
    expect(client.joined.client).toMatchObject({ username: 'ada', name: 'Ada', avatarUrl: null, appId: 'test' })
    expect(client.joined.client.color).toMatch(/^#[0-9a-f]{6}$/)
    expect(client.joined.workspacePath).toBe(box.configuration.workspace)
    expect(client.joined.capabilities.client).toEqual({ list: true, status: true })
    expect(client.joined.permissions.file.documentOperation).toBe(true)
    const reader = await join({ username: 'bob', access: 'read' })
    expect(reader.joined.permissions.file).toMatchObject({ open: true, save: false, documentOperation: false })
    expect(await client.call('client/list', {})).toEqual([client.joined.client, reader.joined.client])
  })

  it('DS3: clients hear who comes and goes', async () => {
    const ada = await join()
    const bob = await join({ username: 'bob' })
    expect(await ada.next('client/connected')).toEqual(bob.joined.client)
    await bob.close()
    expect(await ada.next('client/disconnected')).toEqual({ clientId: bob.clientId, reason: 'Disconnect' })
  })

  it('DS4: a reconnect token restores the clientId, only for its user, and takes over from a socket that hangs', async () => {
    const first = await join()
    const query = `&reconnectToken=${first.joined.reconnectToken}`
    const second = await join({}, { query })
    expect(second.clientId).toBe(first.clientId)
    expect((await first.closed).code).toBe(1001)
    const thief = await join({ username: 'eve' }, { query })
    expect(thief.clientId).not.toBe(first.clientId)
  })

  it('DS5: answers a text frame with an empty text frame', async () => {
    const client = await join()
    client.socket.send('')
    await client.until(() => client.frames.includes('text'))
  })

  it('DS6: refuses what it does not know, what is not allowed and what has the wrong shape, and goes on', async () => {
    const client = await join()
    await expect(client.raw({ id: 100, method: 'no/such', params: {} })).rejects.toMatchObject({ code: 1 })
    await expect(client.raw({ id: 101, method: '__proto__', params: {} })).rejects.toMatchObject({ code: 1 })
    const open = await TestClient.open(box.configuration.socket, await box.token())
    await expect(open.call('client/list', {})).rejects.toMatchObject({ code: 2 })
    await expect(open.raw({ id: 5, method: 'client/join', params: { clientInfo: 3 } })).rejects.toMatchObject({
      code: -32_602,
    })
    expect(await client.call('client/list', {})).toHaveLength(1)
  })

  it('DS7: echoes id, method and status, and answers a repeated id again', async () => {
    const client = await join()
    await client.raw({ id: 9, method: 'client/list', params: null })
    await client.raw({ id: 9, method: 'client/list', params: null })
    const answers = client.frames.filter((frame) => frame !== 'text' && frame.message.kind === 'result').slice(1)
    expect(answers).toHaveLength(2)
    for (const answer of answers) {
      expect(answer).toMatchObject({ message: { message: { id: 9, method: 'client/list', status: 0 } } })
    }
  })

  it('DS8: leaves a gap between an answer and the next notification', async () => {
    const ada = await join()
    const listing = ada.call('client/list', {})
    const bob = await join({ username: 'bob' })
    await listing
    // The answer of bob's own join is followed by ada's reconnect, which notifies bob.
    await join({}, { query: `&reconnectToken=${ada.joined.reconnectToken}` })
    await bob.next('client/connected')
    const frames = bob.frames.filter((frame) => frame !== 'text')
    for (const [index, frame] of frames.entries()) {
      const before = frames[index - 1]
      if (frame.message.kind === 'notification' && before && before.message.kind !== 'notification') {
        // The gap is 5 ms where it is made; arrival times may move together a little.
        expect(frame.at - before.at).toBeGreaterThan(2)
      }
    }
  })

  it('DS9: a frame that is no request ends its socket and nothing else', async () => {
    const good = await join()
    for (const bytes of [Buffer.from([0xc1]), Buffer.from([0x01]), Buffer.from([0xdf, 0xff, 0xff, 0xff, 0xff])]) {
      const bad = await join({ username: 'eve' })
      bad.socket.send(bytes)
      expect((await bad.closed).code).toBe(1007)
    }
    expect(await good.call('client/list', {})).toHaveLength(1)
  })

  it('DS10: tells the platform how it is', async () => {
    await server.whenReady
    expect(await http('GET', '/status')).toMatchObject({ status: 200, body: { ready: true, ports: expect.any(Array) } })
    expect(await http('POST', '/flush')).toEqual({ status: 200, body: {} })
    expect((await http('GET', '/etc/passwd')).status).toBe(404)
  })

  it('DS30: tells the platform the text of a file as it is, unsaved edits included', async () => {
    const client = await join()
    const content = new TextEncoder().encode('on disk')
    await client.call('fs/writeFile', { path: 'notes.md', content, create: true, overwrite: false })
    expect(await http('GET', '/text?path=notes.md')).toEqual({ status: 200, body: { text: 'on disk' } })
    const { id, document } = await client.call('file/openByPath', { path: 'notes.md' })
    await client.call('file/documentOperation', { id, operation: ['not ', 7], revision: document!.revision })
    expect(await http('GET', '/text?path=notes.md')).toEqual({ status: 200, body: { text: 'not on disk' } })
    expect((await http('GET', '/text?path=gone.md')).status).toBe(404)
    expect((await http('GET', '/text?path=..%2F..%2Fetc%2Fpasswd')).status).toBe(404)
  })

  const tunnel = async (target: string): Promise<{ status: number; socket: Socket }> => {
    const sent = request({ socketPath: box.configuration.socket, method: 'CONNECT', path: target }).end()
    const [response, socket] = (await once(sent, 'connect')) as [IncomingMessage, Socket]
    return { status: response.statusCode ?? 0, socket }
  }

  it('DS11: CONNECT reaches loopback ports, each half ends on its own', async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => {
      let text = ''
      socket.on('data', (chunk) => (text += String(chunk)))
      socket.on('end', () => socket.end(`heard ${text}`))
    }).listen(0, '127.0.0.1')
    await once(echo, 'listening')
    const { port } = echo.address() as { port: number }
    const { status, socket } = await tunnel(`127.0.0.1:${port}`)
    expect(status).toBe(200)
    socket.end('all of it')
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    expect(answer).toBe('heard all of it')
    echo.close()
  })

  it('DS12: CONNECT refuses other hosts and says when nothing listens', async () => {
    expect((await tunnel('10.0.0.1:80')).status).toBe(403)
    expect((await tunnel('127.0.0.1:99999')).status).toBe(403)
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const { port } = free.address() as { port: number }
    await new Promise((resolve) => free.close(resolve))
    expect((await tunnel(`127.0.0.1:${port}`)).status).toBe(502)
  })

  it('DS20: the egress relay joins TCP and the unix socket of the proxy', async () => {
    const proxy = createServer((socket) => socket.end('from the proxy')).listen(`${box.configuration.socket}.egress`)
    await once(proxy, 'listening')
    const log = createLog(() => undefined)
    const relay = await startEgressRelay(`${box.configuration.socket}.egress`, 0, log)
    const socket = connect(relay.port, '127.0.0.1')
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    expect(answer).toBe('from the proxy')
    await expect(startEgressRelay('/nowhere', relay.port, log)).rejects.toThrow('EADDRINUSE')
    await relay.stop()
    proxy.close()
  })

  it('DS13: a garbled upgrade or request does not end it', async () => {
    const socket = connect(box.configuration.socket)
    socket.resume()
    socket.write('GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nHost: x\r\n\r\n\u0000\u0000')
    await once(socket, 'close')
    const garbage = connect(box.configuration.socket)
    garbage.on('error', () => undefined)
    garbage.write('\u0016\u0003\u0001 nonsense\r\n\r\n')
    garbage.resume()
    await once(garbage, 'close')
    expect((await http('GET', '/status')).status).toBe(200)
  })
})
