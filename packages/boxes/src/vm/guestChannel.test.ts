import { Duplex } from 'node:stream'
import type { Duplex as Stream } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { GuestChannel } from './guestChannel.ts'
import { FrameReader, encodeFrame, frameTypes } from './guestFrame.ts'
import type { GuestFrame } from './guestFrame.ts'

/** The other end of a channel, played by a test. */
class FakeGuest {
  readonly channel: GuestChannel
  readonly egress: Stream[] = []
  readonly #frames: GuestFrame[] = []
  readonly #waiting: ((frame: GuestFrame) => void)[] = []
  readonly #port: Duplex

  constructor() {
    const reader = new FrameReader()
    this.#port = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        for (const frame of reader.read(Buffer.from(chunk))) {
          const waiting = this.#waiting.shift()
          if (waiting) waiting(frame)
          else this.#frames.push(frame)
        }
        done()
      },
    })
    this.channel = new GuestChannel(this.#port, (connection) => this.egress.push(connection))
  }

  get closed(): boolean {
    return this.#port.destroyed
  }

  says(connection: number, type: (typeof frameTypes)[keyof typeof frameTypes], payload?: Uint8Array): void {
    this.push(encodeFrame(connection, type, payload))
  }

  push(bytes: Buffer): void {
    this.#port.push(bytes)
  }

  hears(): Promise<GuestFrame> {
    const frame = this.#frames.shift()
    return frame ? Promise.resolve(frame) : new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** The next frame that is not an acknowledgement. */
  async hearsOther(): Promise<GuestFrame> {
    for (;;) {
      const frame = await this.hears()
      if (frame.type !== frameTypes.window) return frame
    }
  }
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const asked = (frame: GuestFrame): unknown => JSON.parse(frame.payload.toString())

it('BX507: calls are answered by their number, in pieces of any size, and fail with what the guest says', async () => {
  const guest = new FakeGuest()
  const good = guest.channel.call('usage')
  const bad = guest.channel.call('configure', { hostname: 'box' })
  expect(asked(await guest.hears())).toEqual({ op: 'usage', id: 1 })
  expect(asked(await guest.hears())).toEqual({ op: 'configure', id: 2, hostname: 'box' })
  const answers = Buffer.concat([
    encodeFrame(0, frameTypes.control, json({ event: 'failed', id: 2, message: 'no disk' })),
    encodeFrame(0, frameTypes.control, json({ event: 'done', id: 1, processes: 3 })),
  ])
  for (const byte of answers) guest.push(Buffer.of(byte))
  await expect(bad).rejects.toMatchObject({ code: 'SANDBOX_FAILED', message: expect.stringContaining('no disk') })
  expect(await good).toMatchObject({ processes: 3 })
})

it('BX507: a connection carries both directions, ends in each by itself, and waits for the window of the guest', async () => {
  const guest = new FakeGuest()
  const connection = guest.channel.open()
  expect(await guest.hears()).toMatchObject({ connection: 1, type: frameTypes.open })
  const received = text(connection)
  connection.end(Buffer.alloc(300 * 1024, 'x'))
  let sent = 0
  while (sent < 256 * 1024) sent += (await guest.hearsOther()).payload.length
  expect(sent).toBe(256 * 1024)
  const window = Buffer.alloc(4)
  window.writeUInt32BE(sent)
  guest.says(1, frameTypes.window, window)
  while (sent < 300 * 1024) sent += (await guest.hearsOther()).payload.length
  expect(await guest.hearsOther()).toMatchObject({ connection: 1, type: frameTypes.end })
  guest.says(1, frameTypes.data, Buffer.from('the answer'))
  guest.says(1, frameTypes.end)
  expect(await received).toBe('the answer')
})

it.each([
  ['a frame without end', Buffer.from('ffffffff02ffffffff', 'hex')],
  ['what is no JSON', encodeFrame(0, frameTypes.control, Buffer.from('{'))],
  ['an event that does not exist', encodeFrame(0, frameTypes.control, json({ event: 'root' }))],
  ['a signal that is none', encodeFrame(0, frameTypes.control, json({ event: 'exit', code: null, signal: 'x; y' }))],
])('BX507: a guest that says %s is not listened to any more', async (_, bytes) => {
  const guest = new FakeGuest()
  const call = guest.channel.call('usage')
  guest.push(bytes)
  await expect(call).rejects.toMatchObject({ code: 'SANDBOX_FAILED' })
  expect(guest.closed).toBe(true)
  await expect(guest.channel.call('usage')).rejects.toMatchObject({ code: 'SANDBOX_FAILED' })
})

it('BX507: a guest that sends more than its window loses the connection', async () => {
  const guest = new FakeGuest()
  const connection = guest.channel.open()
  const closed = new Promise((resolve) => connection.once('close', resolve))
  for (let sent = 0; sent <= 256 * 1024; sent += 32 * 1024) guest.says(1, frameTypes.data, Buffer.alloc(32 * 1024))
  await closed
  expect(connection.destroyed).toBe(true)
})

it('BX507: a guest opens connections to the egress proxy only under numbers that are its own', async () => {
  const guest = new FakeGuest()
  guest.says(3, frameTypes.open)
  expect(await guest.hears()).toMatchObject({ connection: 3, type: frameTypes.reset })
  guest.says(2, frameTypes.open)
  guest.says(2, frameTypes.open)
  expect(await guest.hears()).toMatchObject({ connection: 2, type: frameTypes.reset })
  expect(guest.egress).toHaveLength(1)
})

it('BX866: a connection to a guest that has ended is over at once, whether it was there or is asked for later', async () => {
  const guest = new FakeGuest()
  const before = guest.channel.open()
  guest.channel.close()
  const after = guest.channel.open()
  expect([before.destroyed, after.destroyed]).toEqual([true, true])
  await expect(guest.channel.call('usage')).rejects.toMatchObject({ code: 'SANDBOX_FAILED' })
})

it('BX503: a guest that is about to be saved is sent calls only', async () => {
  const guest = new FakeGuest()
  const connection = guest.channel.open()
  await guest.hears()
  guest.channel.cut()
  expect(await guest.hears()).toMatchObject({ connection: 1, type: frameTypes.reset })
  expect(connection.destroyed).toBe(true)
  guest.channel.hush()
  guest.channel.open().write('too late')
  void guest.channel.call('still').catch(() => undefined)
  expect(asked(await guest.hears())).toMatchObject({ op: 'still' })
})

it('BX708: while a guest is held connections wait, and nothing of them is lost or overtaken', async () => {
  const guest = new FakeGuest()
  const connection = guest.channel.open()
  expect((await guest.hears()).type).toBe(frameTypes.open)
  const holding = guest.channel.hold()
  const hold = asked(await guest.hears()) as { op: string; id: number }
  expect(hold.op).toBe('hold')
  connection.write('one')
  const another = guest.channel.open()
  another.write('two')
  guest.says(0, frameTypes.control, json({ event: 'done', id: hold.id }))
  await holding
  connection.write('three')
  const releasing = guest.channel.release()
  // The release comes first: the guest takes nothing else before it.
  const release = asked(await guest.hears()) as { op: string; id: number }
  expect(release.op).toBe('release')
  const heard: [number, string][] = []
  while (heard.length < 4) {
    const { connection: number, payload } = await guest.hears()
    heard.push([number, payload.toString()])
  }
  expect(heard).toEqual([
    [1, 'one'],
    [3, ''],
    [3, 'two'],
    [1, 'three'],
  ])
  guest.says(0, frameTypes.control, json({ event: 'done', id: release.id }))
  await releasing
  connection.write('four')
  expect((await guest.hears()).payload.toString()).toBe('four')
})
