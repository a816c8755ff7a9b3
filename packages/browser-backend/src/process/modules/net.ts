import EventEmitter from 'events/events.js'
import { notInBrowser } from '../nodeError.ts'
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
    this.send(chunk)
    done()
  }

  _final(done: () => void): void {
    this.send(null)
    done()
  }

  setTimeout(): this {
    return this
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
