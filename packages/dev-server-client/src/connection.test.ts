import { ProtocolError } from '@boxyard/protocol'
import { describe, expect, it } from 'vitest'
import type { ConnectionState, InitStatus } from './api.ts'
import { WorkspaceFrozenError } from './errors.ts'
import { Emitter } from './event.ts'
import { settled } from './testing/fakeClock.ts'
import { FakeServer, HOLD } from './testing/fakeServer.ts'

const kinds = (states: ConnectionState[]) =>
  states.map((state) => ('attempt' in state ? `${state.kind} ${state.attempt}` : state.kind))

function statesOf(client: { connection: { onDidChangeState(listener: (state: ConnectionState) => void): unknown } }) {
  const states: ConnectionState[] = []
  client.connection.onDidChangeState((state) => states.push(state))
  return states
}

describe('connecting', () => {
  it('DC1: connects, joins and reads every area', async () => {
    const server = new FakeServer()
    const client = server.createClient()
    const states = statesOf(client)
    await client.connect()
    expect(kinds(states)).toEqual(['CONNECTING 1', 'CONNECTED'])
    expect(server.socket.url).toBe('ws://app.test/box/box1?token=tok')
    expect(server.socket.binaryType).toBe('arraybuffer')
    expect(server.last('client/join').params).toMatchObject({
      clientInfo: { appId: 'test' },
      asyncProgress: true,
      subscriptions: { fs: { operations: true }, file: { ot: true, selection: true } },
    })
    expect(client.connection.joined?.client.clientId).toBe('me')
    await Promise.all([client.fs.tree.ready, client.clients.ready, client.shells.ready, client.setup.ready])
    expect(client.clients.all).toHaveLength(1)
    expect(client.setup.progress?.state).toBe('FINISHED')
  })

  it('DC2: tries three times, 500 apart, and says what ended the last try', async () => {
    const server = new FakeServer()
    server.isReachable = false
    const client = server.createClient()
    const states = statesOf(client)
    const connecting = client.connect()
    const outcome = expect(connecting).rejects.toThrow('Connection closed before it was opened')
    await settled()
    expect(server.sockets).toHaveLength(1)
    await server.clock.advance(499)
    expect(server.sockets).toHaveLength(1)
    await server.clock.advance(1)
    expect(server.sockets).toHaveLength(2)
    await server.clock.advance(500)
    await outcome
    expect(server.sockets).toHaveLength(3)
    expect(kinds(states)).toEqual(['CONNECTING 1', 'CONNECTING 2', 'CONNECTING 3', 'DISCONNECTED'])
    expect(client.connection.state).toMatchObject({ reason: 'Connection closed before it was opened', wasClean: false })
    await server.clock.advance(600_000)
    expect(server.sockets).toHaveLength(3)
  })

  it('DC2: a try of the first connect lasts 90 s', async () => {
    const server = new FakeServer()
    let asked = 0
    server.resolveInstance = () => {
      asked += 1
      return new Promise(() => {})
    }
    const client = server.createClient()
    const outcome = expect(client.connect()).rejects.toThrow('Timed out after 90000ms')
    await server.clock.advance(89_999)
    expect(asked).toBe(1)
    await server.clock.advance(501)
    expect(asked).toBe(2)
    await server.clock.advance(90_500)
    expect(asked).toBe(3)
    await server.clock.advance(90_000)
    await outcome
  })

  it('DC2: a later connect works after the tries were used up', async () => {
    const server = new FakeServer()
    server.isReachable = false
    const client = server.createClient()
    const outcome = expect(client.connect()).rejects.toThrow()
    await server.clock.advance(1_000)
    await outcome
    server.isReachable = true
    await client.connect()
    expect(client.connection.state.kind).toBe('CONNECTED')
    expect(server.last('client/join').params['asyncProgress']).toBe(true)
  })

  it('DC3: the first join may take an hour and reports its progress', async () => {
    const server = new FakeServer()
    server.answers['client/join'] = () => HOLD
    const client = server.createClient()
    const seen: InitStatus[] = []
    client.connection.onInitStatus((status) => seen.push(status))
    const outcome = expect(client.connect()).rejects.toThrow('Pitcher message client/join timed out')
    await settled()
    const [first] = server.sockets
    first!.notify('system/initStatus', {
      message: 'Starting',
      progress: 10,
      nextProgress: 50,
      isError: null,
      stdout: null,
    })
    expect(seen).toEqual([
      { message: 'Starting', progress: 10, nextProgress: 50, isError: undefined, stdout: undefined },
    ])
    // The dev server answers pings while it starts.
    const beat = async (duration: number) => {
      for (let passed = 0; passed < duration; passed += 20_000) {
        await server.clock.advance(20_000)
        for (const socket of server.sockets) if (socket.readyState === 1) socket.pong()
      }
    }
    await beat(3_580_000)
    expect(server.sockets).toHaveLength(1)
    await beat(40_000)
    expect(server.sockets).toHaveLength(2)
    client.dispose()
    await expect(outcome).rejects.toThrow()
  })

  it('DC12: a frozen workspace ends the tries; only a person begins new ones', async () => {
    const server = new FakeServer()
    const { resolveInstance } = server
    let asked = 0
    server.resolveInstance = () => {
      asked += 1
      return Promise.reject(new WorkspaceFrozenError())
    }
    const client = server.createClient()
    await expect(client.connect()).rejects.toBeInstanceOf(WorkspaceFrozenError)
    await server.clock.advance(10_000)
    server.focus.fire()
    await settled()
    expect(asked).toBe(1)
    expect(client.connection.state).toMatchObject({ kind: 'DISCONNECTED', reason: 'This workspace is frozen' })
    server.resolveInstance = resolveInstance
    await client.connection.reconnect()
    expect(client.connection.state.kind).toBe('CONNECTED')
  })

  it('DC21: dispose closes the socket and rejects everything', async () => {
    const server = new FakeServer()
    server.answers['fs/stat'] = () => HOLD
    const client = await server.connectedClient()
    const pending = client.fs.stat('a')
    const outcome = expect(pending).rejects.toThrow('Channel is disposed')
    client.dispose()
    await outcome
    expect(server.socket.readyState).toBe(3)
    await expect(client.fs.stat('a')).rejects.toThrow('Channel is disposed')
    await expect(client.connect()).rejects.toThrow('Channel is disposed')
  })
})

describe('losing the connection', () => {
  it('DC4: reconnects at once while focused, with the reconnect token', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    await server.clock.advance(1_000)
    const states = statesOf(client)
    server.socket.end(1006)
    await settled()
    expect(kinds(states)).toEqual(['RECONNECTING 1', 'CONNECTED'])
    expect(states[0]).toMatchObject({ disconnect: { code: 1006, wasClean: false, wasFocused: true } })
    expect(server.sockets).toHaveLength(2)
    expect(server.socket.url).toBe('ws://app.test/box/box1?token=tok&reconnectToken=again1')
    expect(server.last('client/join').params['asyncProgress']).toBe(false)
  })

  it('DC5: stays disconnected without focus, then reconnects on focus', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    await server.clock.advance(1_000)
    server.isFocused = false
    server.socket.end(4001, 'Taken over', true)
    await server.clock.advance(60_000)
    expect(client.connection.state).toMatchObject({
      kind: 'DISCONNECTED',
      reason: 'Taken over',
      code: 4001,
      wasClean: true,
      wasFocused: false,
    })
    expect(server.sockets).toHaveLength(1)
    server.isFocused = true
    server.focus.fire()
    await settled()
    expect(client.connection.state.kind).toBe('CONNECTED')
  })

  it('DC6: gives up after three tries until focus or a manual reconnect', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    await server.clock.advance(1_000)
    const states = statesOf(client)
    server.isReachable = false
    server.socket.end(1006)
    await server.clock.advance(60_000)
    expect(kinds(states)).toEqual(['RECONNECTING 1', 'RECONNECTING 2', 'RECONNECTING 3', 'DISCONNECTED'])
    expect(server.sockets).toHaveLength(4)
    server.focus.fire()
    await server.clock.advance(60_000)
    expect(server.sockets).toHaveLength(7)
    server.isReachable = true
    await client.connection.reconnect()
    expect(client.connection.state.kind).toBe('CONNECTED')
  })

  it('DC6: a try of a reconnect lasts 10 s and leaves no socket behind', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    await server.clock.advance(1_000)
    const { 'client/join': join } = server.answers
    server.answers['client/join'] = () => HOLD
    server.socket.end(1006)
    await settled()
    expect(server.sockets).toHaveLength(2)
    await server.clock.advance(10_000)
    expect(server.sockets[1]!.readyState).toBe(3)
    server.answers['client/join'] = join!
    await server.clock.advance(500)
    expect(server.sockets).toHaveLength(3)
    expect(client.connection.state.kind).toBe('CONNECTED')
  })

  it('DC7: rejects unanswered requests', async () => {
    const server = new FakeServer()
    server.answers['fs/stat'] = () => HOLD
    const client = await server.connectedClient()
    await server.clock.advance(1_000)
    const first = expect(client.fs.stat('a')).rejects.toThrow('Attempting reconnect')
    await settled()
    server.socket.end(1006)
    await first
    await settled()
    await server.clock.advance(1_000)
    server.isFocused = false
    const second = expect(client.fs.stat('a')).rejects.toThrow('The connection was lost before fs/stat was answered')
    await settled()
    server.socket.end(1006)
    await second
  })

  it('DC8: sends what was queued, in order, before the areas are read again', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    await server.clock.advance(1_000)
    server.isFocused = false
    server.socket.end(1006)
    server.answers['fs/mkdir'] = () => ({})
    server.answers['fs/remove'] = () => ({})
    const made = client.fs.mkdir('a')
    const removed = client.fs.remove('b')
    server.focus.fire()
    await Promise.all([made, removed])
    await settled()
    const methods = server.socket.requests.map(({ method }) => method)
    expect(methods.slice(0, 3)).toEqual(['client/join', 'fs/mkdir', 'fs/remove'])
    expect(methods.slice(3).toSorted()).toEqual([
      'client/list',
      'fs/read',
      'port/list',
      'setup/get',
      'shell/list',
      'task/list',
    ])
  })

  it('DC9: refuses what must not be queued', async () => {
    const server = new FakeServer()
    const client = server.createClient()
    const { connection } = client
    await expect(connection.request('system/metrics', {})).rejects.toThrow('Not able to send message in IDLE state')
    const refused = [
      connection.request('shell/resize', { shellId: 's', size: { cols: 1, rows: 1 } }),
      connection.request('file/documentOperation', { id: 'f', operation: [1], revision: 0 }),
      connection.request('file/documentAck', { id: 'f', revision: 0 }),
      connection.request('file/documentSelection', { id: 'f', selection: [] }),
      connection.request('file/open', { id: 'f', isResync: true }),
    ]
    for (const { status } of await Promise.allSettled(refused)) expect(status).toBe('rejected')
    server.answers['file/open'] = () => HOLD
    const queued = connection.request('file/open', { id: 'f' })
    queued.catch(() => undefined)
    await client.connect()
    expect(server.sent('file/open')).toHaveLength(1)
    client.dispose()
  })

  it('DC10: a request times out after 90 s', async () => {
    const server = new FakeServer()
    server.answers['fs/stat'] = () => HOLD
    const client = await server.connectedClient()
    let outcome = 'open'
    client.fs.stat('a').catch((error: Error) => (outcome = error.message))
    await server.clock.advance(89_999)
    expect(outcome).toBe('open')
    await server.clock.advance(1)
    expect(outcome).toBe('Pitcher message fs/stat timed out')
  })

  it('DC11: hibernates when told to, and wakes on focus', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    await server.clock.advance(1_000)
    const hibernated = server.socket
    hibernated.notify('system/hibernate', {})
    expect(client.connection.state.kind).toBe('HIBERNATED')
    expect(hibernated.readyState).toBe(3)
    await server.clock.advance(60_000)
    expect(server.sockets).toHaveLength(1)
    server.focus.fire()
    await settled()
    expect(client.connection.state.kind).toBe('CONNECTED')
  })

  it('DC11: a request wakes it while focused only', async () => {
    const server = new FakeServer()
    server.answers['fs/mkdir'] = () => ({})
    const client = await server.connectedClient()
    await server.clock.advance(1_000)
    server.socket.notify('system/hibernate', {})
    server.isFocused = false
    const first = client.fs.mkdir('a')
    await settled()
    expect(client.connection.state.kind).toBe('HIBERNATED')
    server.isFocused = true
    await Promise.all([client.fs.mkdir('b'), first])
    expect(client.connection.state.kind).toBe('CONNECTED')
  })

  it('DC11: the one who asked for it takes the announcement for the answer', async () => {
    const server = new FakeServer()
    server.answers['system/hibernate'] = (_, socket) => {
      socket.notify('system/hibernate', {})
      return HOLD
    }
    const client = await server.connectedClient()
    await client.system.hibernate()
    expect(client.connection.state.kind).toBe('HIBERNATED')
  })

  it('DC16: replaces the socket on a manual reconnect, and refuses a second one', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    await server.clock.advance(1_000)
    const [old] = server.sockets
    const again = client.connection.reconnect()
    await expect(client.connection.reconnect()).rejects.toThrow('Already reconnecting')
    await again
    expect(old!.readyState).toBe(3)
    expect(server.sockets).toHaveLength(2)
    expect(client.connection.state.kind).toBe('CONNECTED')
  })

  it('DC22: pauses before reconnecting to a server that closes at once', async () => {
    const server = new FakeServer()
    await server.connectedClient()
    server.socket.end(1013)
    await settled()
    expect(server.sockets).toHaveLength(1)
    await server.clock.advance(500)
    expect(server.sockets).toHaveLength(2)
  })
})

describe('the heartbeat', () => {
  it('DC13: pings after 17 s of silence and gives up 15 s later', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    const [socket] = server.sockets
    await server.clock.advance(16_999)
    expect(socket!.pings).toBe(0)
    await server.clock.advance(1)
    expect(socket!.pings).toBe(1)
    socket!.pong()
    await server.clock.advance(17_000)
    expect(socket!.pings).toBe(2)
    server.isFocused = false
    await server.clock.advance(14_999)
    expect(client.connection.state.kind).toBe('CONNECTED')
    await server.clock.advance(1)
    expect(client.connection.state).toMatchObject({ kind: 'DISCONNECTED', reason: 'Pong response not detected' })
    expect(socket!.readyState).toBe(3)
  })

  it('DC13: pings after 22 s and gives up 20 s later before the join', async () => {
    const server = new FakeServer()
    server.answers['client/join'] = () => HOLD
    const client = server.createClient()
    client.connect().catch(() => undefined)
    await server.clock.advance(21_999)
    expect(server.sockets[0]!.pings).toBe(0)
    await server.clock.advance(1)
    expect(server.sockets[0]!.pings).toBe(1)
    await server.clock.advance(20_500)
    expect(server.sockets).toHaveLength(2)
    client.dispose()
  })

  it('DC14: waits for an unanswered request', async () => {
    const server = new FakeServer()
    server.answers['fs/stat'] = () => HOLD
    const client = await server.connectedClient()
    client.fs.stat('a').catch(() => undefined)
    await server.clock.advance(80_000)
    expect(client.connection.state.kind).toBe('CONNECTED')
    expect(server.sockets).toHaveLength(1)
    await server.clock.advance(60_000)
    expect(server.sockets.length).toBeGreaterThan(1)
    client.dispose()
  })

  it('DC15: pings on focus and waits 5 s', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    const states = statesOf(client)
    server.focus.fire()
    expect(server.socket.pings).toBe(1)
    server.socket.pong()
    await server.clock.advance(10_000)
    expect(states).toEqual([])
    server.focus.fire()
    await server.clock.advance(4_999)
    expect(states).toEqual([])
    await server.clock.advance(1)
    expect(kinds(states)[0]).toBe('RECONNECTING 1')
  })
})

describe('requests', () => {
  it('DC17: matches answers by id, in any order, and counts on across sockets', async () => {
    const server = new FakeServer()
    server.answers['fs/readFile'] = () => HOLD
    const client = await server.connectedClient()
    const [a, b] = [client.fs.readFile('a'), client.fs.readFile('b')]
    await settled()
    const [first, second] = server.sent('fs/readFile')
    server.socket.sendRaw({ id: 99_999, method: 'fs/readFile', status: 0, result: { content: new Uint8Array([9]) } })
    server.socket.respond(second!, { content: new Uint8Array([2]) })
    server.socket.respond(first!, { content: new Uint8Array([1]) })
    expect(await a).toEqual(new Uint8Array([1]))
    expect(await b).toEqual(new Uint8Array([2]))
    const highest = Math.max(...server.socket.requests.map(({ id }) => id))
    await server.clock.advance(1_000)
    await client.connection.reconnect()
    expect(server.last('client/join').id).toBe(highest + 1)
  })

  it('DC18: passes on errors with code and data', async () => {
    const server = new FakeServer()
    server.answers['fs/stat'] = () => {
      throw new ProtocolError('RAWFS_ERROR', 'no such file', { errno: 2 })
    }
    const client = await server.connectedClient()
    const error = await client.fs.stat('gone').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ProtocolError)
    expect(error).toMatchObject({ code: 102, codeName: 'RAWFS_ERROR', message: 'no such file', data: { errno: 2 } })
  })

  it('DC18: refuses an answer of another shape', async () => {
    const server = new FakeServer()
    server.answers['fs/stat'] = () => ({ type: 'file' })
    const client = await server.connectedClient()
    await expect(client.fs.stat('a')).rejects.toThrow(
      'The dev server answered fs/stat with something else than expected',
    )
  })

  it('DC19: takes nil for absent', async () => {
    const server = new FakeServer()
    server.answers['shell/list'] = () => ({
      shells: [
        { shellId: 's', name: 'dev', status: 'RUNNING', exitCode: null, shellType: 'COMMAND', startCommand: 'x' },
      ],
    })
    const client = await server.connectedClient()
    expect(client.shells.all[0]).toMatchObject({ shellId: 's', exitCode: undefined })
    expect(client.clients.all[0]?.avatarUrl).toBeNull()
  })

  it('DC20: a frame that is no message loses the connection', async () => {
    const server = new FakeServer()
    const client = await server.connectedClient()
    server.isFocused = false
    server.socket.sendRaw({ hello: 1 })
    expect(client.connection.state).toMatchObject({ kind: 'DISCONNECTED', reason: 'Unable to identify message type' })
  })

  it('DC23: a listener that throws does not stop the others', () => {
    const errors: unknown[] = []
    const emitter = new Emitter<number>((error) => errors.push(error))
    const seen: number[] = []
    emitter.event(() => {
      throw new Error('mine')
    })
    const second = emitter.event((value) => seen.push(value))
    emitter.fire(1)
    second.dispose()
    emitter.fire(2)
    expect(seen).toEqual([1])
    expect(errors).toHaveLength(2)
  })
})
