import { describe, expect, it } from 'vitest'
import { settled } from './testing/fakeClock.ts'
import { FakeServer, HOLD } from './testing/fakeServer.ts'

const languageRequest = (method: string) => ({ languageId: 'typescript', serverId: 'typescript', message: { method } })

/** Loses the connection of a client that nobody looks at, so that it stays lost; not so soon that a reconnect would wait. */
async function lose(server: FakeServer, code = 1006): Promise<void> {
  await server.clock.advance(1_000)
  server.isFocused = false
  server.socket.end(code)
}

describe('requests to language servers', () => {
  it('DC500: take up to 10 minutes, and a dead socket is noticed meanwhile', async () => {
    const server = new FakeServer()
    server.answers['language/lspRequest'] = () => HOLD
    const client = await server.connectedClient()
    const { connection } = client
    const alive = async (duration: number) => {
      for (let passed = 0; passed < duration; passed += 10_000) {
        await server.clock.advance(10_000)
        server.socket.pong()
      }
    }
    const outcome = expect(connection.request('language/lspRequest', languageRequest('textDocument/hover'))).rejects
    const timedOut = outcome.toThrow('Pitcher message language/lspRequest timed out')
    await alive(590_000)
    expect(server.sockets).toHaveLength(1)
    await alive(20_000)
    await timedOut

    const lost = expect(connection.request('language/lspRequest', languageRequest('textDocument/hover'))).rejects
    const noticed = lost.toThrow('Attempting reconnect')
    await server.clock.advance(17_000 + 15_000)
    await noticed
  })

  it('DC500: only the first question to a language server waits for a connection', async () => {
    const server = new FakeServer()
    server.answers['language/lspRequest'] = ({ params }) => params['message']
    const client = await server.connectedClient()
    await lose(server)
    await expect(
      client.connection.request('language/lspRequest', languageRequest('textDocument/hover')),
    ).rejects.toThrow('Not able to send message in DISCONNECTED state')
    const first = client.connection.request('language/lspRequest', languageRequest('initialize'))
    server.isFocused = true
    await client.connection.reconnect()
    expect(await first).toMatchObject({ method: 'initialize' })
  })
})

describe('features', () => {
  it('DC507: are those of the version that the join was answered with', async () => {
    const server = new FakeServer()
    const join = server.answers['client/join']!
    server.answers['client/join'] = (...given) => ({ ...(join(...given) as object), version: '0.300.0' })
    const client = server.createClient()
    expect(client.connection.hasFeature('SHELL_RENAME')).toBe(false)
    expect(client.connection.isOlderThan('9.0.0')).toBe(false)
    await client.connect()
    expect(client.connection.hasFeature('SHELL_RENAME')).toBe(true)
    expect(client.connection.hasFeature('SETUP_ENV_DEVTOOL')).toBe(false)
    expect([client.connection.isOlderThan('0.300.1'), client.connection.isOlderThan('0.300.0')]).toEqual([true, false])
  })
})

describe('a connection that is not there', () => {
  it('DC501: says whether the browser is offline', async () => {
    const server = new FakeServer()
    let isOnline = true
    const client = await server.connectedClient({ isOnline: () => isOnline })
    await lose(server, 1011)
    expect(client.connection.state).toMatchObject({
      kind: 'DISCONNECTED',
      reason: 'WebSocket close with status code 1011',
    })
    server.isFocused = true
    await client.connection.reconnect()
    isOnline = false
    await lose(server)
    expect(client.connection.state).toMatchObject({ kind: 'DISCONNECTED', reason: 'Browser is offline', code: 1006 })
  })

  it('DC502: lets a thousand requests wait and refuses more', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    await lose(server)
    const waiting = Array.from({ length: 1_000 }, (_, index) => client.fs.mkdir(String(index)))
    await expect(client.fs.mkdir('one more')).rejects.toThrow('Not able to send message in DISCONNECTED state')
    server.isFocused = true
    await client.connection.reconnect()
    await Promise.all(waiting)
    expect(server.sent('fs/mkdir')).toHaveLength(1_000)
  })

  it('DC503: refuses what is asked behind a socket that closes', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    server.socket.readyState = 2
    await expect(client.fs.mkdir('late')).rejects.toThrow('Could not send message in CLOSING state')
    await settled()
    expect(server.sent('fs/mkdir')).toEqual([])
  })
})
