import EventEmitter from 'events/events.js'
import { notInBrowser } from '../nodeError.ts'
import { outOfRange, wrongType } from './check.ts'
import { Duplex } from './stream.ts'
import type { Loose } from '../loose.ts'

const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/

export function isIP(address: unknown): 0 | 4 | 6 {
  const text = String(address)
  if (V4.test(text)) return 4
  return text.includes(':') && URL.canParse(`http://[${text.split('%', 1)[0]!}]`) ? 6 : 0
}

/** What programs know as the connection of a request. There is no network below it: bytes go over a line. */
export class Socket extends Duplex {
  remoteAddress = '127.0.0.1'
  remoteFamily = 'IPv4'
  remotePort = 50_000
  localAddress = '127.0.0.1'
  localPort = 0
  encrypted = false
  connecting = false
  bytesRead = 0
  bytesWritten = 0
  timeout = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Sends bytes of a connection that is no longer HTTP; null at its end. */
  send: (data: Uint8Array | null) => void = () => undefined

  constructor(options?: object) {
    super({ allowHalfOpen: true, ...options })
  }

  _read(): void {
    // Bytes are pushed when they come.
  }

  _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.bytesWritten += chunk.length
    this.touch()
    this.send(chunk)
    done()
  }

  _final(done: () => void): void {
    this.send(null)
    done()
  }

  /** Says so when nothing has come or gone for so long; nobody is kept by that. */
  setTimeout(ms: number, done?: () => void): this {
    this.timeout = durationOf(ms, 'msecs')
    if (done && this.timeout > 0) this['once']('timeout', done)
    else if (done) this['off']('timeout', done)
    this.touch()
    return this
  }
  /** Something has come or gone. */
  touch(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.timeout || this['destroyed']) return
    const timer: Loose = setTimeout(() => this['emit']('timeout'), this.timeout)
    timer.unref?.()
    this.#timer = timer
  }
  _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer)
    done(error)
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  address() {
    return { address: this.localAddress, family: 'IPv4', port: this.localPort }
  }
  destroySoon(): void {
    ;(this as Loose).end(() => (this as Loose).destroy())
  }
  connect(): never {
    throw notInBrowser('A connection by TCP')
  }
}

const LONGEST = 2 ** 31 - 1
/** How long somebody wants to wait, in milliseconds. */
export function durationOf(given: unknown, name: string): number {
  if (typeof given !== 'number') throw wrongType(name, 'of type number', given)
  if (!(given >= 0) || given === Infinity) throw outOfRange(name, 'a non-negative finite number', given)
  if (given <= LONGEST) return given
  ;(globalThis as Loose).process.emitWarning(
    `${given} does not fit into a 32-bit signed integer.\nTimer duration was truncated to ${LONGEST}.`,
    'TimeoutOverflowWarning',
  )
  return LONGEST
}

export class Server extends EventEmitter {
  listen(): never {
    throw notInBrowser('A server that does not speak HTTP')
  }
}

const connect = () => new Socket().connect()

/** Node's `net`, without a network. */
export const net: Loose = {
  isIP,
  isIPv4: (address: unknown) => isIP(address) === 4,
  isIPv6: (address: unknown) => isIP(address) === 6,
  Socket,
  Stream: Socket,
  Server,
  createServer: () => new Server(),
  connect,
  createConnection: connect,
  getDefaultAutoSelectFamily: () => true,
  setDefaultAutoSelectFamily: () => undefined,
  BlockList: class {
    addAddress(): void {}
    check(): boolean {
      return false
    }
  },
}
