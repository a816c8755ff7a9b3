import { REFUSED } from '../common/httpLine.ts'
import type { FromServer, ToServer } from '../common/httpLine.ts'
import { encodeFrame, FrameError, FrameReader, OPCODES } from './webSocketFrames.ts'

const CONNECTING = 0
const OPEN = 1
const CLOSING = 2
const CLOSED = 3
/** It ended without a word. */
const ABNORMAL = 1006
const NO_STATUS = 1005
const encoder = new TextEncoder()

/** Bytes up to the blank line at the end of a head, and the rest; null while that is not there. */
function splitHead(bytes: Uint8Array): { head: string; rest: Uint8Array } | null {
  // One character a byte, so that places in the text are places in the bytes.
  const text = new TextDecoder('latin1').decode(bytes)
  const end = text.indexOf('\r\n\r\n')
  return end < 0 ? null : { head: text.slice(0, end), rest: bytes.slice(end + 4) }
}

/** A `WebSocket` of a page to the server behind its own host, over a line to the process that listens there. */
export class LineWebSocket extends EventTarget {
  static readonly CONNECTING = CONNECTING
  static readonly OPEN = OPEN
  static readonly CLOSING = CLOSING
  static readonly CLOSED = CLOSED
  readonly CONNECTING = CONNECTING
  readonly OPEN = OPEN
  readonly CLOSING = CLOSING
  readonly CLOSED = CLOSED
  readonly url: string
  readonly extensions = ''
  readonly bufferedAmount = 0
  protocol = ''
  readyState: number = CONNECTING
  binaryType: BinaryType = 'blob'
  onopen: ((event: Event) => unknown) | null = null
  onmessage: ((event: MessageEvent) => unknown) | null = null
  onerror: ((event: Event) => unknown) | null = null
  onclose: ((event: CloseEvent) => unknown) | null = null
  readonly #frames = new FrameReader()
  #head: Uint8Array | null = new Uint8Array(0)
  #line: MessagePort | null = null
  /** What is sent waits for texts and blobs before it. */
  #sending: Promise<void> = Promise.resolve()

  /** `open` resolves with a line to the server; null: there is none. */
  constructor(url: URL, protocols: readonly string[], open: () => Promise<MessagePort | null>) {
    super()
    this.url = url.href
    open().then(
      (line) => {
        if (!line) return this.lose()
        return this.readyState === CONNECTING ? this.#greet(line, url, protocols) : line.close()
      },
      () => this.lose(),
    )
  }

  send(data: string | ArrayBufferLike | ArrayBufferView | Blob): void {
    if (this.readyState === CONNECTING)
      throw new DOMException('The connection is still being made', 'InvalidStateError')
    if (this.readyState !== OPEN) return
    const bytes = bytesOf(data)
    const opcode = typeof data === 'string' ? OPCODES.text : OPCODES.binary
    this.#sending = this.#sending.then(async () => this.#write(opcode, await bytes))
  }

  close(code?: number, reason = ''): void {
    if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999))
      throw new DOMException(`${code} is no status that a page may close with`, 'InvalidAccessError')
    const words = encoder.encode(reason)
    if (words.length > 123) throw new DOMException('The reason is longer than 123 bytes', 'SyntaxError')
    if (this.readyState === CONNECTING) return this.lose()
    if (this.readyState !== OPEN) return undefined
    this.readyState = CLOSING
    const said = code === undefined ? new Uint8Array(0) : closeBytes(code, words)
    this.#sending = this.#sending.then(() => this.#write(OPCODES.close, said))
    return undefined
  }

  /** The server, or the way to it, is gone. */
  lose(): void {
    if (this.readyState === CLOSED) return
    this.#tell(new Event('error'))
    this.#end(ABNORMAL, '')
  }

  #greet(line: MessagePort, url: URL, protocols: readonly string[]): void {
    this.#line = line
    line.onmessage = ({ data }: MessageEvent<FromServer | typeof REFUSED>) => {
      if (data === REFUSED || data.type === 'failed') return this.lose()
      if (data.type !== 'data') return undefined
      if (data.data === null) return this.readyState < CLOSING ? this.lose() : this.#end(ABNORMAL, '')
      return this.#take(data.data)
    }
    const key = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))
    const request: ToServer = {
      type: 'request',
      id: 1,
      method: 'GET',
      url: url.pathname + url.search,
      headers: [
        ['host', url.host],
        ['upgrade', 'websocket'],
        ['connection', 'Upgrade'],
        ['origin', location.origin],
        ['user-agent', navigator.userAgent],
        ['sec-websocket-version', '13'],
        ['sec-websocket-key', key],
        ...(protocols.length > 0 ? [['sec-websocket-protocol', protocols.join(', ')] as const] : []),
      ],
      body: null,
      upgrade: true,
    }
    line.postMessage(request)
  }

  #take(bytes: Uint8Array): void {
    if (this.readyState === CLOSED) return undefined
    if (this.#head === null) return this.#read(bytes)
    const joined = new Uint8Array(this.#head.length + bytes.length)
    joined.set(this.#head)
    joined.set(bytes, this.#head.length)
    const split = splitHead(joined)
    if (!split) return void (this.#head = joined)
    this.#head = null
    if (!/^HTTP\/1\.1 101\b/.test(split.head)) return this.lose()
    this.protocol = /^sec-websocket-protocol:\s*(\S+)/im.exec(split.head)?.[1] ?? ''
    this.readyState = OPEN
    this.#tell(new Event('open'))
    return this.#read(split.rest)
  }

  #read(bytes: Uint8Array): void {
    try {
      for (const { opcode, data } of this.#frames.read(bytes)) {
        if (opcode === OPCODES.text) this.#hear(new TextDecoder('utf-8', { fatal: true }).decode(data))
        else if (opcode === OPCODES.binary) this.#hear(this.binaryType === 'blob' ? new Blob([data]) : data.buffer)
        else if (opcode === OPCODES.ping) this.#write(OPCODES.pong, data)
        else if (opcode === OPCODES.close) return this.#hearEnd(data)
      }
    } catch (error) {
      // Text that is no UTF-8, or what no server may send.
      const code = error instanceof FrameError ? error.code : 1007
      this.#write(OPCODES.close, closeBytes(code, new Uint8Array(0)))
      this.lose()
    }
  }

  #hear(data: unknown): void {
    if (this.readyState === OPEN) this.#tell(new MessageEvent('message', { data, origin: new URL(this.url).origin }))
  }

  #hearEnd(data: Uint8Array<ArrayBuffer>): void {
    const code = data.length < 2 ? NO_STATUS : new DataView(data.buffer).getUint16(data.byteOffset)
    if (this.readyState === OPEN) this.#write(OPCODES.close, data.slice(0, 2))
    this.#end(code, new TextDecoder().decode(data.subarray(2)), true)
  }

  #write(opcode: number, data: Uint8Array): void {
    this.#line?.postMessage({ type: 'data', id: 1, data: encodeFrame(opcode, data) } satisfies ToServer)
  }

  #end(code: number, reason: string, wasClean = false): void {
    if (this.readyState === CLOSED) return
    this.readyState = CLOSED
    this.#line?.postMessage({ type: 'data', id: 1, data: null } satisfies ToServer)
    this.#line?.postMessage({ type: 'gone', id: 1 } satisfies ToServer)
    this.#line?.close()
    this.#tell(new CloseEvent('close', { code, reason, wasClean }))
  }

  #tell(event: Event): void {
    const heard = this[`on${event.type}` as 'onopen']
    if (typeof heard === 'function') {
      const once = (given: Event) => heard.call(this as never, given)
      this.addEventListener(event.type, once, { once: true })
    }
    this.dispatchEvent(event)
  }
}

function bytesOf(data: string | ArrayBufferLike | ArrayBufferView | Blob): Uint8Array | Promise<Uint8Array> {
  if (typeof data === 'string') return encoder.encode(data)
  if (data instanceof Blob) return data.arrayBuffer().then((buffer) => new Uint8Array(buffer))
  // A copy: what the page does with its bytes afterwards is not sent.
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice()
  return new Uint8Array(data).slice()
}

function closeBytes(code: number, words: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(2 + words.length)
  new DataView(bytes.buffer).setUint16(0, code)
  bytes.set(words, 2)
  return bytes
}
