import { expect, it } from 'vitest'
import { LiveSocket } from './LiveSocket.ts'

type Frame = [string | null, string | null, string, string, Record<string, unknown>]

/** Plays the server's end of the socket: accepts every subscription under an id of its own. */
function server() {
  const sockets: FakeSocket[] = []
  const asked: Frame[] = []
  let waiting: { isWanted: () => boolean; resolve: () => void } | undefined
  const changed = () => {
    if (waiting?.isWanted()) waiting.resolve()
  }
  class FakeSocket {
    onopen: (() => void) | null = null
    onclose: ((event: object) => void) | null = null
    onmessage: ((event: { data: string }) => void) | null = null
    onerror: ((event: object) => void) | null = null
    readyState = 0
    bufferedAmount = 0
    readonly address: string
    constructor(address: string) {
      this.address = address
      sockets.push(this)
      queueMicrotask(() => {
        this.readyState = 1
        this.onopen?.()
      })
    }
    send(text: string): void {
      const frame = JSON.parse(text) as Frame
      asked.push(frame)
      const [joinRef, ref, topic, event] = frame
      const response =
        event === 'doc' ? { subscriptionId: `doc:${asked.filter(([, , , e]) => e === 'doc').length}` } : {}
      queueMicrotask(() => {
        this.tell([joinRef, ref, topic, 'phx_reply', { status: 'ok', response }])
        changed()
      })
    }
    tell(frame: Frame): void {
      this.onmessage?.({ data: JSON.stringify(frame) })
    }
    close(): void {
      this.readyState = 3
      this.onclose?.({ code: 1000, wasClean: true })
    }
    lose(): void {
      this.readyState = 3
      this.onclose?.({ code: 1006, wasClean: false })
    }
  }
  return {
    sockets,
    asked,
    events: () => asked.map(([, , , event]) => event),
    until: (isWanted: () => boolean) =>
      new Promise<void>((resolve) => {
        waiting = { isWanted, resolve }
        changed()
      }),
    noticed: changed,
    transport: FakeSocket as unknown as typeof WebSocket,
  }
}

function following(host: ReturnType<typeof server>) {
  let tokens = 0
  const rest = { get: async () => ({ jwt: `token${(tokens += 1)}` }) } as never
  const live = new LiveSocket(rest, { address: 'ws://app.test/socket', transport: host.transport })
  const heard: unknown[] = []
  let followed = 0
  const stop = live.follow({
    document: 'subscription { a }',
    variables: { id: 1 },
    onEvent: (data) => heard.push(data),
    onFollowed: () => {
      followed += 1
      host.noticed()
    },
  })
  return { heard, stop, followed: () => followed }
}

const told = (subscriptionId: string, data: unknown): Frame => [
  null,
  null,
  subscriptionId,
  'subscription:data',
  { subscriptionId, result: { data } },
]

it('follows what it is asked to, with the token of now, and tells only whom an event is for', async () => {
  const host = server()
  const page = following(host)
  await host.until(() => page.followed() === 1)
  expect(host.sockets[0]?.address).toContain('guardian_token=token1')
  expect(host.asked.find(([, , , event]) => event === 'doc')?.[4]).toEqual({
    query: 'subscription { a }',
    variables: { id: 1 },
  })
  host.sockets[0]!.tell(told('doc:1', { a: 1 }))
  host.sockets[0]!.tell(told('doc:2', { a: 2 }))
  expect(page.heard).toEqual([{ a: 1 }])
  page.stop()
  expect(host.sockets[0]?.readyState).toBe(3)
})

it('follows again after a lost connection, and says that events may have been missed', async () => {
  const host = server()
  const page = following(host)
  await host.until(() => page.followed() === 1)
  host.sockets[0]!.lose()
  await host.until(() => page.followed() === 2)
  expect(host.sockets).toHaveLength(2)
  host.sockets[1]!.tell(told('doc:1', { a: 1 }))
  host.sockets[1]!.tell(told('doc:2', { a: 2 }))
  expect(page.heard).toEqual([{ a: 2 }])
  page.stop()
})

it('opens the socket again for whoever comes after the last one left', async () => {
  const host = server()
  const first = following(host)
  first.stop()
  const second = following(host)
  await host.until(() => second.followed() === 1)
  expect([first.followed(), host.events().filter((event) => event === 'doc').length]).toEqual([0, 1])
  second.stop()
})
