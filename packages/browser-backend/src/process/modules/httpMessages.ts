import { Buffer } from 'buffer/index.js'
import type { Headers as HeaderList } from '../../common/httpLine.ts'
import { codedError } from '../nodeError.ts'
import { Socket } from './net.ts'
import { Readable, Writable } from './stream.ts'
import type { Loose } from '../loose.ts'

export const STATUS_CODES: Readonly<Record<number, string>> = {
  100: 'Continue',
  101: 'Switching Protocols',
  102: 'Processing',
  103: 'Early Hints',
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  203: 'Non-Authoritative Information',
  204: 'No Content',
  205: 'Reset Content',
  206: 'Partial Content',
  207: 'Multi-Status',
  300: 'Multiple Choices',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  418: "I'm a Teapot",
  422: 'Unprocessable Entity',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  511: 'Network Authentication Required',
}
export const METHODS =
  'DELETE GET HEAD POST PUT CONNECT OPTIONS TRACE COPY LOCK MKCOL MOVE PROPFIND PROPPATCH SEARCH UNLOCK BIND REBIND UNBIND ACL REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE PATCH PURGE MKCALENDAR LINK UNLINK SOURCE QUERY'.split(
    ' ',
  )

export const TOKEN = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/

export function validateHeaderName(name: unknown): void {
  if (typeof name !== 'string' || !TOKEN.test(name))
    throw codedError('ERR_INVALID_HTTP_TOKEN', `Header name must be a valid HTTP token ["${String(name)}"]`, TypeError)
}

export function validateHeaderValue(name: string, value: unknown): void {
  if (value === undefined)
    throw codedError('ERR_HTTP_INVALID_HEADER_VALUE', `Invalid value "undefined" for header "${name}"`, TypeError)
  // eslint-disable-next-line no-control-regex
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(String(value)))
    throw codedError('ERR_INVALID_CHAR', `Invalid character in header content ["${name}"]`, TypeError)
}

/** Of these only the first counts; others are joined. */
const ONCE = new Set(
  'age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since last-modified location max-forwards proxy-authorization referer retry-after server user-agent'.split(
    ' ',
  ),
)

/** A request as a server has it, or an answer as a client has it. */
export class IncomingMessage extends Readable {
  httpVersion = '1.1'
  httpVersionMajor = 1
  httpVersionMinor = 1
  complete = false
  aborted = false
  upgrade = false
  headers: Record<string, string | string[]> = {}
  rawHeaders: string[] = []
  trailers = {}
  rawTrailers: string[] = []
  method = ''
  url = ''
  statusCode: number | null = null
  statusMessage: string | null = null
  socket: Socket

  constructor(socket: Socket = new Socket()) {
    super({ autoDestroy: true })
    this.socket = socket
  }

  get connection(): Socket {
    return this.socket
  }
  set connection(socket: Socket) {
    this.socket = socket
  }

  get headersDistinct(): Record<string, string[]> {
    const found: Record<string, string[]> = {}
    for (let index = 0; index < this.rawHeaders.length; index += 2)
      (found[this.rawHeaders[index]!.toLowerCase()] ??= []).push(this.rawHeaders[index + 1]!)
    return found
  }

  takeHeaders(headers: HeaderList): void {
    for (const [name, value] of headers) {
      this.rawHeaders.push(name, value)
      const key = name.toLowerCase()
      const before = this.headers[key]
      if (before !== undefined && ONCE.has(key)) continue
      if (key === 'set-cookie') this.headers[key] = [...(Array.isArray(before) ? before : []), value]
      else
        this.headers[key] = before === undefined ? value : `${String(before)}${key === 'cookie' ? '; ' : ', '}${value}`
    }
  }

  /** All of the body at once. */
  takeBody(body: Uint8Array | null): void {
    if (body && body.length > 0) this['push'](Buffer.from(body))
    this.complete = true
    this['push'](null)
  }

  setTimeout(ms: number, done?: () => void): this {
    if (done) this['on']('timeout', done)
    this.socket.setTimeout(ms)
    return this
  }

  _read(): void {
    // The body is pushed as it comes.
  }

  /** That it was cut off is an error only for who listens to those. */
  _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if ((!this['readableEnded'] || !this.complete) && !this.aborted) {
      this.aborted = true
      this['emit']('aborted')
    }
    queueMicrotask(() => done(this['listenerCount']('error') > 0 ? error : null))
  }
}

type HeaderValue = string | number | readonly string[]

/** Where the answer of a server goes. */
export interface AnswerSink {
  head(status: number, reason: string, headers: HeaderList): void
  chunk(data: Uint8Array): void
  end(): void
}

/** Headers that are set one after the other, and a body behind them. */
export class OutgoingMessage extends Writable {
  readonly headerValues = new Map<string, [name: string, value: HeaderValue]>()
  headersSent = false
  finished = false
  sendDate = true
  chunkedEncoding = false
  shouldKeepAlive = true
  socket: Socket | null = null

  get connection(): Socket | null {
    return this.socket
  }
  get _header(): string | null {
    return this.headersSent ? 'sent' : null
  }
  get _headers(): Record<string, HeaderValue> {
    return this.getHeaders()
  }

  setHeader(name: string, value: HeaderValue): this {
    if (this.headersSent)
      throw codedError('ERR_HTTP_HEADERS_SENT', 'Cannot set headers after they are sent to the client')
    validateHeaderName(name)
    for (const one of [value].flat()) validateHeaderValue(name, one)
    this.headerValues.set(name.toLowerCase(), [name, value])
    return this
  }
  setHeaders(headers: Iterable<[string, HeaderValue]>): this {
    for (const [name, value] of headers) this.setHeader(name, value)
    return this
  }
  appendHeader(name: string, value: HeaderValue): this {
    const before = this.getHeader(name)
    return this.setHeader(name, before === undefined ? value : [before, value].flat().map(String))
  }
  getHeader(name: string): Loose {
    return this.headerValues.get(name.toLowerCase())?.[1]
  }
  getHeaders(): Record<string, HeaderValue> {
    return Object.fromEntries([...this.headerValues].map(([key, [, value]]) => [key, value]))
  }
  getHeaderNames(): string[] {
    return [...this.headerValues.keys()]
  }
  getRawHeaderNames(): string[] {
    return [...this.headerValues.values()].map(([name]) => name)
  }
  hasHeader(name: string): boolean {
    return this.headerValues.has(name.toLowerCase())
  }
  removeHeader(name: string): void {
    if (this.headersSent)
      throw codedError('ERR_HTTP_HEADERS_SENT', 'Cannot remove headers after they are sent to the client')
    this.headerValues.delete(name.toLowerCase())
  }
  headerList(): HeaderList {
    return [...this.headerValues.values()].flatMap(([name, value]) =>
      [value].flat().map((one) => [name, String(one)] as const),
    )
  }
  addTrailers(): void {
    // Whoever is at the other end of a line does not ask for trailers.
  }
  setTimeout(ms: number, done?: () => void): this {
    if (done) this['on']('timeout', done)
    this.socket?.setTimeout(ms)
    return this
  }
}

/** The answer of a server. */
export class ServerResponse extends OutgoingMessage {
  statusCode = 200
  statusMessage: string | undefined
  req: IncomingMessage
  sink: AnswerSink | null = null

  constructor(request: IncomingMessage) {
    super()
    this.req = request
    this.socket = request?.socket ?? null
  }

  assignSocket(socket: Socket): void {
    this.socket = socket
  }
  detachSocket(): void {
    this.socket = null
  }
  writeContinue(): void {
    // Bodies come whole.
  }
  writeProcessing(): void {}
  writeEarlyHints(): void {}

  writeHead(status: number, reasonOrHeaders?: Loose, given?: Loose): this {
    if (this.headersSent)
      throw codedError('ERR_HTTP_HEADERS_SENT', 'Cannot write headers after they are sent to the client')
    const reason = typeof reasonOrHeaders === 'string' ? reasonOrHeaders : undefined
    const headers = reason === undefined ? reasonOrHeaders : given
    if (!Number.isInteger(Number(status)) || status < 100 || status > 999)
      throw codedError('ERR_HTTP_INVALID_STATUS_CODE', `Invalid status code: ${status}`, RangeError)
    this.statusCode = Number(status)
    if (reason !== undefined) this.statusMessage = reason
    for (const [name, value] of entriesOf(headers)) this.setHeader(name, value)
    this.statusMessage ??= STATUS_CODES[this.statusCode] ?? 'unknown'
    if (this.sendDate && !this.hasHeader('date')) this.setHeader('Date', new Date().toUTCString())
    this.headersSent = true
    this.sink?.head(this.statusCode, this.statusMessage, this.headerList())
    return this
  }

  /** Programs put themselves in front of `writeHead`, so it is always the one that is called. */
  _implicitHeader(): void {
    this.writeHead(this.statusCode, this.statusMessage)
  }

  flushHeaders(): void {
    if (!this.headersSent) this._implicitHeader()
  }

  end(...given: Loose[]): this {
    this.finished = true
    if (!this.headersSent) {
      const [body, encoding] = given
      const isBody = typeof body === 'string' || ArrayBuffer.isView(body)
      const isWhole =
        this['writableLength'] === 0 && !this.hasHeader('content-length') && !this.hasHeader('transfer-encoding')
      if (isBody && isWhole) {
        const length =
          typeof body === 'string'
            ? Buffer.byteLength(body, (typeof encoding === 'string' ? encoding : 'utf8') as BufferEncoding)
            : body.byteLength
        this.setHeader('Content-Length', length)
      }
      this._implicitHeader()
    }
    return super.end(...given) as this
  }

  _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    if (!this.headersSent) this._implicitHeader()
    const hasBody = this.req.method !== 'HEAD' && this.statusCode !== 204 && this.statusCode !== 304
    if (hasBody) this.sink?.chunk(chunk)
    done()
  }

  /** Who does not finish it closes the connection. */
  _destroy(_error: Error | null, done: (error: null) => void): void {
    if (!this['writableFinished']) this.socket?.['destroy']()
    done(null)
  }

  _final(done: () => void): void {
    if (!this.headersSent) this._implicitHeader()
    this.sink?.end()
    done()
  }
}

export function entriesOf(headers: Loose): [string, HeaderValue][] {
  if (!headers) return []
  if (!Array.isArray(headers)) return Object.entries(headers as Record<string, HeaderValue>)
  if (Array.isArray(headers[0])) return headers as [string, HeaderValue][]
  return headers.flatMap((name: string, index: number) =>
    index % 2 === 0 ? [[name, headers[index + 1] as HeaderValue] as [string, HeaderValue]] : [],
  )
}
