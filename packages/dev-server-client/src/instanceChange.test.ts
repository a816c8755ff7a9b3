import { describe, expect, it } from 'vitest'
import type { ConnectionState, Instance } from './api.ts'
import type { ConnectionTelemetry } from './telemetry.ts'
import { settled } from './testing/fakeClock.ts'
import { FakeServer } from './testing/fakeServer.ts'

const branch: Instance = {
  id: 'box2',
  url: 'ws://app.test/box/box2',
  token: 'tok2',
  workspacePath: '/project/workspace',
  bootType: 'FORK',
}

async function changing(server = new FakeServer()) {
  const client = await server.connectedClient()
  const old = server.socket
  const { connection } = client
  const states: ConnectionState['kind'][] = []
  connection.onDidChangeState(({ kind }) => states.push(kind))
  const seen: ConnectionTelemetry[] = []
  connection.onTelemetry((event) => seen.push(event))
  let finish!: { made(): void; failed(error: Error): void }
  let resolved = 0
  const resolve = (): Promise<Instance> => {
    resolved += 1
    return Promise.resolve(branch)
  }
  const changed = connection.changeInstance(
    () =>
      new Promise((made, failed) => {
        finish = { made: () => made(resolve), failed }
      }),
  )
  await settled()
  return { server, client, connection, old, states, seen, changed, finish, resolvedCount: () => resolved }
}

describe('a change of the instance', () => {
  it('DC70: goes on with the present one until the next is made, then joins there with the reconnect token', async () => {
    const { server, client, connection, old, states, changed, finish, resolvedCount } = await changing()
    expect(connection.state.kind).toBe('CONNECTED')
    server.answers['fs/mkdir'] = () => ({})
    await connection.request('client/list', {})
    const held = connection.request('fs/writeFile', {
      path: '/project/workspace/a.txt',
      content: new Uint8Array(),
      create: true,
      overwrite: true,
    })
    const outside = connection.request('fs/mkdir', { path: '/tmp/outside', recursive: false })
    await outside
    expect(old.requests.map(({ method }) => method)).not.toContain('fs/writeFile')
    finish.made()
    await changed
    await held
    expect(old.readyState).toBe(3)
    expect(server.socket.url).toBe('ws://app.test/box/box2?token=tok2&reconnectToken=again1')
    expect(server.last('client/join').params['asyncProgress']).toBe(false)
    expect(server.sent('fs/writeFile')).toHaveLength(1)
    expect(connection.instance?.id).toBe('box2')
    expect(states).toEqual(['RECONNECTING', 'CONNECTED'])
    // The next reconnect asks for the new instance too.
    const again = connection.reconnect()
    await server.clock.advance(1000)
    await again
    expect([resolvedCount(), connection.instance?.id]).toEqual([2, 'box2'])
    client.dispose()
  })

  it('DC71: drops edits, and opens the files there before anything that waited is sent', async () => {
    const server = new FakeServer()
    const state = { clients: {}, revision: 0, savedHash: '0' }
    server.answers['file/open'] = () => ({ id: 'f1', path: '/a.txt', isBinary: false, content: 'text', ...state })
    const { client, connection, changed, finish } = await changing(server)
    const edit = connection.request('file/documentOperation', { id: 'f1', operation: ['x'], revision: 0 })
    await expect(edit).rejects.toThrow('Instance change required')
    const saved = connection.request('file/save', { id: 'f1' })
    finish.made()
    await changed
    await saved
    const methods = server.socket.requests.map(({ method }) => method)
    expect(methods.indexOf('fs/read')).toBeLessThan(methods.indexOf('file/save'))
    expect(methods).not.toContain('file/documentOperation')
    client.dispose()
  })

  it('DC72: that fails leads back to the old instance, and what waited is refused', async () => {
    const { server, client, connection, seen, changed, finish } = await changing()
    const held = expect(connection.request('file/save', { id: 'f1' })).rejects.toThrow('Instance change required')
    const failed = expect(changed).rejects.toThrow('no room for a branch')
    finish.failed(new Error('no room for a branch'))
    await server.clock.advance(1000)
    await failed
    await held
    expect(connection.state.kind).toBe('CONNECTED')
    expect(server.socket.url).toContain('/box/box1?')
    expect(seen.at(-1)).toEqual({ kind: 'instance-change', outcome: 'failure', from: 'box1', to: undefined })
    client.dispose()
  })

  it('DC72: to an instance that can not be reached leads back after three tries', async () => {
    const { server, client, connection, changed, finish } = await changing()
    server.isReachable = false
    const failed = expect(changed).rejects.toThrow('Connection closed before it was opened')
    finish.made()
    await settled()
    await server.clock.advance(500)
    expect(server.sockets).toHaveLength(3)
    await server.clock.advance(500)
    server.isReachable = true
    await server.clock.advance(1000)
    await failed
    expect(connection.instance?.id).toBe('box1')
    expect(connection.state.kind).toBe('CONNECTED')
    client.dispose()
  })

  it('DC73: begins only while connected, and one at a time', async () => {
    const { server, client, connection, changed, finish } = await changing()
    const again = () => connection.changeInstance(() => Promise.resolve(() => Promise.resolve(branch)))
    await expect(again()).rejects.toThrow('You can not change instance when: CHANGING')
    finish.made()
    await changed
    server.isFocused = false
    server.socket.end(1006)
    await settled()
    await expect(again()).rejects.toThrow('You can not change instance when: DISCONNECTED')
    client.dispose()
  })
})

describe('telemetry', () => {
  it('DC74: tells a loss with whether it was clean and whether the box was missing', async () => {
    const server = new FakeServer()
    server.isFocused = false
    const client = await server.connectedClient()
    const seen: ConnectionTelemetry[] = []
    client.connection.onTelemetry((event) => seen.push(event))
    server.socket.end(1006)
    await settled()
    expect(seen).toEqual([
      { kind: 'disconnect', reason: expect.any(String), code: 1006, wasClean: false, wasNotFound: false },
    ])
    server.resolveInstance = () => Promise.reject(new Error('This sandbox is not found'))
    server.isFocused = true
    server.focus.fire()
    await settled()
    await server.clock.advance(10_000)
    expect(seen.filter(({ kind }) => kind === 'disconnect').at(-1)).toMatchObject({ wasNotFound: true })
    client.dispose()
  })

  it('DC75: tells a reconnect with its tries and the seconds since activity, focus and loss', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    const seen: ConnectionTelemetry[] = []
    client.connection.onTelemetry((event) => seen.push(event))
    await server.clock.advance(4_000)
    server.isReachable = false
    server.socket.end(1006)
    await settled()
    server.isReachable = true
    await server.clock.advance(1_000)
    expect(seen).toEqual([
      {
        kind: 'reconnect',
        outcome: 'success',
        attempts: 2,
        disconnectReason: expect.any(String),
        secondsSinceActivity: expect.any(Number),
        secondsSinceFocus: 0,
        secondsSinceDisconnect: expect.any(Number),
      },
    ])
    const [reconnect] = seen
    expect(reconnect?.kind === 'reconnect' && reconnect.secondsSinceActivity).toBeGreaterThanOrEqual(4.5)
    client.dispose()
  })
})
