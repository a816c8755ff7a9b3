import { Duplex, PassThrough } from 'node:stream'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { deferred } from '../deferred.ts'
import type { Deferred } from '../deferred.ts'
import { BoxError } from '../errors.ts'
import { FrameReader, encodeFrame, frameTypes } from './guestFrame.ts'
import type { FrameType, GuestFrame } from './guestFrame.ts'

/** Bytes of one connection that may be under way and not yet read by the other side. */
const WINDOW_BYTES = 256 * 1024
const FRAME_BYTES = 32 * 1024
/** Connections that a guest may have open to the egress proxy. */
const GUEST_CONNECTIONS = 1024

const signals = z.custom<NodeJS.Signals>((value) => typeof value === 'string' && /^SIG[A-Z0-9]+$/.test(value))
const eventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('hello') }),
  z.looseObject({ event: z.literal('done'), id: z.number() }),
  z.object({ event: z.literal('failed'), id: z.number(), message: z.string() }),
  z.object({ event: z.literal('exit'), code: z.number().nullable(), signal: signals.nullable() }),
  z.object({ event: z.literal('broken'), message: z.string() }),
])

export interface GuestExit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** The driver's end of the port of a guest. The other one is guest/agent.py. Everything that arrives is what a hostile guest may say. */
export class GuestChannel {
  /** What the dev server writes to its output. */
  readonly log: Readable
  /** The agent has said that it is there. Never settles when it does not. */
  readonly hello: Promise<void>
  /** The dev server has ended and the disk is closed. */
  readonly exited: Promise<GuestExit>
  readonly #log = new PassThrough()
  readonly #hello = deferred<void>()
  readonly #exited = deferred<GuestExit>()
  readonly #port: Duplex
  readonly #reader = new FrameReader()
  readonly #calls = new Map<number, Deferred<Record<string, unknown>>>()
  readonly #connections = new Map<number, GuestConnection>()
  readonly #onEgress: (connection: Duplex) => void
  #nextCall = 1
  #nextConnection = 1
  #closed = false
  #hushed = false
  /** What waits for the release, while the guest is held. */
  #held: Buffer[] | null = null

  constructor(port: Duplex, onEgress: (connection: Duplex) => void) {
    this.#port = port
    this.#onEgress = onEgress
    this.log = this.#log
    this.hello = this.#hello.promise
    this.exited = this.#exited.promise
    // Every connection may wait for room.
    port.setMaxListeners(0)
    port.on('data', (chunk: Buffer) => this.#take(chunk))
    port.on('error', () => this.close())
    port.once('close', () => this.close())
  }

  /** Asks the agent for something. Fails with SANDBOX_FAILED when it can not, or when the guest ends first. */
  async call(op: string, args: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> {
    if (this.#closed) throw new BoxError('SANDBOX_FAILED', `the guest ended before ${op}`)
    const id = this.#nextCall
    this.#nextCall += 1
    const answer = deferred<Record<string, unknown>>()
    this.#calls.set(id, answer)
    this.send(0, frameTypes.control, Buffer.from(JSON.stringify({ op, id, ...args })))
    return answer.promise
  }

  /** A connection to the dev server's socket. It waits while the dev server does not listen yet, and is over where the guest has ended. */
  open(): Duplex {
    const number = this.#nextConnection
    this.#nextConnection += 2
    const connection = this.#add(number)
    if (this.#closed) connection.destroy()
    this.send(number, frameTypes.open)
    return connection
  }

  /** Ends every connection: those of a guest that goes to sleep, or has ended. */
  cut(): void {
    for (const connection of this.#connections.values()) connection.destroy()
    this.#connections.clear()
  }

  /** Nothing but calls goes to the guest from now on. */
  hush(): void {
    this.#hushed = true
  }

  /** Nothing is under way in either direction once this resolves, and connections wait until `release`. */
  async hold(): Promise<void> {
    const held = this.call('hold')
    // Behind the call, which is on its way already.
    this.#held ??= []
    await held
  }

  async release(): Promise<void> {
    const waiting = this.#held
    if (waiting === null) return
    const released = this.call('release')
    this.#held = null
    for (const frame of waiting) this.#port.write(frame)
    await released
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.cut()
    const error = new BoxError('SANDBOX_FAILED', 'the guest ended')
    for (const call of this.#calls.values()) call.reject(error)
    this.#calls.clear()
    this.#log.end()
    this.#port.destroy()
  }

  /** For connections only. Returns false when the port is full. */
  send(connection: number, type: FrameType, payload?: Uint8Array): boolean {
    if (this.#closed || (this.#hushed && type !== frameTypes.control)) return true
    const frame = encodeFrame(connection, type, payload)
    if (this.#held === null || type === frameTypes.control) return this.#port.write(frame)
    // The windows of the connections bound what can wait here.
    this.#held.push(frame)
    return true
  }

  /** Calls back once the port takes more. */
  afterDrain(then: () => void): void {
    this.#port.once('drain', then)
  }

  forget(number: number): void {
    this.#connections.delete(number)
  }

  #add(number: number): GuestConnection {
    const connection = new GuestConnection(this, number)
    this.#connections.set(number, connection)
    return connection
  }

  #take(chunk: Buffer): void {
    let frames: GuestFrame[]
    try {
      frames = this.#reader.read(chunk)
    } catch {
      // Not an agent of ours: nothing more of this guest is listened to.
      this.close()
      return
    }
    for (const { connection: number, type, payload } of frames) {
      if (type === frameTypes.control) this.#hear(payload)
      else if (type === frameTypes.log) this.#log.write(payload)
      else if (type === frameTypes.open) this.#accept(number)
      else this.#connections.get(number)?.receive(type, payload)
    }
  }

  #accept(number: number): void {
    // Odd numbers are the driver's own.
    if (number % 2 !== 0 || this.#connections.has(number) || this.#connections.size >= GUEST_CONNECTIONS) {
      this.send(number, frameTypes.reset)
      return
    }
    this.#onEgress(this.#add(number))
  }

  #hear(payload: Buffer): void {
    let message: z.infer<typeof eventSchema>
    try {
      message = eventSchema.parse(JSON.parse(payload.toString('utf8')))
    } catch {
      this.close()
      return
    }
    if (message.event === 'hello') this.#hello.resolve()
    else if (message.event === 'exit') this.#exited.resolve({ code: message.code, signal: message.signal })
    else if (message.event === 'broken') this.#log.write(`The agent of the guest failed: ${message.message}\n`)
    else {
      const call = this.#calls.get(message.id)
      this.#calls.delete(message.id)
      if (message.event === 'done') call?.resolve(message)
      else call?.reject(new BoxError('SANDBOX_FAILED', message.message))
    }
  }
}

class GuestConnection extends Duplex {
  readonly #channel: GuestChannel
  readonly #number: number
  #credit = WINDOW_BYTES
  /** What has been received and not yet been acknowledged to the guest. */
  #unacknowledged = 0
  #waiting: (() => void) | null = null

  constructor(channel: GuestChannel, number: number) {
    super({ allowHalfOpen: true })
    this.#channel = channel
    this.#number = number
    // Whoever uses it listens for himself; an end that nobody waits for is no error of the driver.
    this.on('error', () => undefined)
  }

  receive(type: number, payload: Buffer): void {
    if (type === frameTypes.data) {
      this.#unacknowledged += payload.length
      // More than the window is more than an agent sends.
      if (this.#unacknowledged > WINDOW_BYTES) {
        this.destroy()
        return
      }
      if (this.push(Buffer.from(payload))) this.#acknowledge()
    } else if (type === frameTypes.end) {
      this.push(null)
    } else if (type === frameTypes.reset) {
      this.#channel.forget(this.#number)
      this.destroy()
    } else if (type === frameTypes.window && payload.length === 4) {
      this.#credit += payload.readUInt32BE(0)
      const waiting = this.#waiting
      this.#waiting = null
      waiting?.()
    }
  }

  override _read(): void {
    this.#acknowledge()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    if (chunk.length === 0) {
      callback()
      return
    }
    if (this.#credit === 0) {
      this.#waiting = () => this._write(chunk, _encoding, callback)
      return
    }
    const now = chunk.subarray(0, Math.min(FRAME_BYTES, this.#credit))
    const rest = chunk.subarray(now.length)
    this.#credit -= now.length
    const next = (): void => (rest.length === 0 ? callback() : this._write(rest, _encoding, callback))
    if (this.#channel.send(this.#number, frameTypes.data, now)) next()
    else this.#channel.afterDrain(next)
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.#channel.send(this.#number, frameTypes.end)
    callback()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    // After an end in both directions the guest may still be writing what it was sent.
    if (!(this.readableEnded && this.writableFinished)) this.#channel.send(this.#number, frameTypes.reset)
    this.#channel.forget(this.#number)
    this.#waiting = null
    callback(error)
  }

  #acknowledge(): void {
    if (this.#unacknowledged === 0) return
    const window = Buffer.alloc(4)
    window.writeUInt32BE(this.#unacknowledged)
    this.#unacknowledged = 0
    this.#channel.send(this.#number, frameTypes.window, window)
  }
}
