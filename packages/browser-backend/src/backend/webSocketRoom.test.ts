import { expect, it } from 'vitest'
import { WebSocketRoom } from './webSocketRoom.ts'

class FakeSocket extends EventTarget {
  readyState = 0
  readonly sent: string[] = []

  open() {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }

  say(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }

  send(data: string) {
    this.sent.push(data)
  }

  close() {
    this.readyState = 3
    this.dispatchEvent(new Event('close'))
  }
}

function setUp() {
  const sockets: FakeSocket[] = []
  const timers: { run(): void; delay: number }[] = []
  const said: string[] = []
  let online = () => undefined as void
  const room = new WebSocketRoom('ws://room.test', {
    createSocket: () => {
      const socket = new FakeSocket()
      sockets.push(socket)
      return socket as unknown as WebSocket
    },
    timers: {
      setTimeout: ((run: () => void, delay: number) => timers.push({ run, delay })) as unknown as typeof setTimeout,
      clearTimeout: ((id: number) => id && (timers[id - 1]!.run = () => undefined)) as typeof clearTimeout,
    },
    onOnline: (listener) => (online = listener),
  })
  room.begin({ message: ({ type }) => said.push(type), lost: () => said.push('lost') })
  return { room, sockets, timers, said, online: () => online() }
}

it('BB229: a lost connection is opened again, later each time, and at once when the device is online again', () => {
  const { room, sockets, timers, said, online } = setUp()
  sockets[0]!.open()
  sockets[0]!.say('{"type":"left","id":"p1"}')
  room.send({ type: 'save', document: 'm1' })
  expect([said, sockets[0]!.sent]).toEqual([['left'], ['{"type":"save","document":"m1"}']])
  sockets[0]!.close()
  expect(said).toEqual(['left', 'lost'])
  timers.at(-1)!.run()
  sockets[1]!.close()
  expect(timers.slice(-2).map(({ delay }) => delay)).toEqual([250, 500])
  online()
  expect(sockets).toHaveLength(3)
  timers.at(-1)!.run()
  expect(sockets).toHaveLength(3)
  room.close()
  expect(said.filter((word) => word === 'lost')).toHaveLength(2)
})

it('BB229: a connection that says nothing for a beat is lost', () => {
  const { sockets, timers, said } = setUp()
  sockets[0]!.open()
  timers.at(-1)!.run()
  expect(sockets[0]!.sent).toEqual([''])
  sockets[0]!.say('')
  timers.at(-1)!.run()
  expect(said).toEqual([])
  timers.at(-1)!.run()
  expect(said).toEqual(['lost'])
  expect(sockets[0]!.readyState).toBe(3)
})
