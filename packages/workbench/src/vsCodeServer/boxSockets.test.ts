import { Emitter } from '@boxyard/dev-server-client'
import type { Connection, ConnectionState } from '@boxyard/dev-server-client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { boxSockets } from './boxSockets.ts'

const made: FakeSocket[] = []

class FakeSocket extends EventTarget {
  readonly address: string
  readonly sent: unknown[] = []
  isClosed = false
  constructor(address: string) {
    super()
    this.address = address
    made.push(this)
  }
  send(content: unknown) {
    this.sent.push(content)
  }
  close() {
    this.isClosed = true
  }
}

beforeEach(() => void vi.stubGlobal('WebSocket', FakeSocket))
afterEach(() => {
  made.length = 0
  vi.unstubAllGlobals()
})

const connected: ConnectionState = { kind: 'CONNECTED', connectedAt: 0 }

function box(state: ConnectionState) {
  const changes = new Emitter<ConnectionState>()
  const connection = { state, instance: { url: 'ws://app/box/b', token: 'one' }, onDidChangeState: changes.event }
  const become = (next: ConnectionState) => {
    connection.state = next
    changes.fire(next)
  }
  return { connection, become, sockets: boxSockets(connection as unknown as Connection, 50_007) }
}

it('WB855: a socket to the VS Code server ends when the box goes to sleep, and none is made before it is connected again', () => {
  const { connection, become, sockets } = box(connected)
  const first = sockets.create('ws://box:80/stable-abc?reconnectionToken=r', '')
  expect(made.map(({ address }) => address)).toEqual(['ws://app/box/b/vscode/50007?reconnectionToken=r&token=one'])
  const closed = vi.fn()
  first.onClose(closed)

  become({ kind: 'HIBERNATED', hibernatedAt: 0 })
  expect(made[0]!.isClosed).toBe(true)
  expect(closed).toHaveBeenCalledTimes(1)
  sockets.create('ws://box:80/stable-abc?reconnectionToken=r', '')
  become({ kind: 'CONNECTING', attempt: 1 })
  expect(made).toHaveLength(1)

  connection.instance.token = 'two'
  become(connected)
  expect(made.map(({ address }) => address).slice(1)).toEqual([
    'ws://app/box/b/vscode/50007?reconnectionToken=r&token=two',
  ])
  become(connected)
  expect(made).toHaveLength(2)
})

it('WB855: a socket that was given up before it was made is never made', () => {
  const { become, sockets } = box({ kind: 'HIBERNATED', hibernatedAt: 0 })
  const socket = sockets.create('ws://box:80/?a=b', '')
  const closed = vi.fn()
  socket.onClose(closed)
  socket.close()
  become(connected)
  expect([made.length, closed.mock.calls.length]).toEqual([0, 1])
})
