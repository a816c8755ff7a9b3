import { Buffer } from 'buffer/index.js'
import EventEmitter from 'events/events.js'
import { apart, inContext } from '../asyncContext.ts'
import type { FromServer, Headers as HeaderList, ToServer } from '../../common/httpLine.ts'
import { codedError, nodeError, notInBrowser } from '../nodeError.ts'
import type { Handles } from '../handles.ts'
import type { ProgramLink } from '../programLink.ts'
import {
  IncomingMessage,
  METHODS,
  OutgoingMessage,
  ServerResponse,
  STATUS_CODES,
  TOKEN,
  entriesOf,
  validateHeaderName,
  validateHeaderValue,
} from './httpMessages.ts'
import { checkString, wrongType } from './check.ts'
import { Socket } from './net.ts'
import type { Loose } from '../loose.ts'

export interface HttpOptions {
  link: ProgramLink
  handles: Handles
  later(work: () => void): void
}

/** The hosts by which programs of a sandbox find each other. */
const OWN_HOSTS = new Set(['localhost', '127.0.0.1', '0.0.0.0', '[::1]', '::1', '[::]', '::'])
/** Without a wish a server gets one of these. */
const FIRST_FREE = 49_152

/** What Node refuses before it asks anybody. */
function checkRequest({ method, protocol, host, hostname }: Loose, scheme: string): void {
  if (method !== undefined && method !== null) {
    checkString('options.method', method)
    if (!TOKEN.test(method as string))
      throw codedError('ERR_INVALID_HTTP_TOKEN', `Method must be a valid HTTP token ["${String(method)}"]`, TypeError)
  }
  if (protocol !== undefined && protocol !== null && protocol !== scheme)
    throw codedError(
      'ERR_INVALID_PROTOCOL',
      `Protocol "${String(protocol)}" not supported. Expected "${scheme}"`,
      TypeError,
    )
  for (const [name, given] of Object.entries({ host, hostname }))
    if (given !== undefined && given !== null && typeof given !== 'string')
      throw wrongType(`options.${name}`, 'of type string or one of undefined or null', given)
}

/** Node's `http` over lines: a server answers what comes to its port from previews and from other processes of the sandbox. */
export function makeHttp({ link, handles, later }: HttpOptions) {
  const servers = new Map<number, Server>()

  class Server extends EventEmitter {
    listening = false
    timeout = 0
    keepAliveTimeout = 5000
    headersTimeout = 60_000
    requestTimeout = 300_000
    maxHeadersCount = null
    maxRequestsPerSocket = 0
    #port = 0
    #host = '::'
    #release: (() => void) | undefined
    readonly #sockets = new Set<Socket>()

    constructor(options?: Loose, listener?: Loose) {
      super()
      const heard = typeof options === 'function' ? options : listener
      if (heard) this.on('request', heard)
    }

    listen(...given: Loose[]): this {
      const done = typeof given.at(-1) === 'function' ? given.pop() : undefined
      if (done) this.once('listening', done)
      const [first, second] = given
      const options = typeof first === 'object' && first !== null ? first : { port: first, host: second }
      const wanted = options.port === undefined || options.port === null ? 0 : Number(options.port)
      if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535)
        throw typeof options.port === 'string' || options.path
          ? notInBrowser('A server on a socket of the file system')
          : Object.assign(
              new RangeError(`options.port should be >= 0 and < 65536. Received ${String(options.port)}.`),
              { code: 'ERR_SOCKET_BAD_PORT' },
            )
      this.#host = typeof options.host === 'string' ? options.host : '::'
      this.#release ??= handles.hold()
      const ask = (port: number): Promise<number> =>
        link.ask({ type: 'listen', port }).then(
          () => port,
          (error: Loose) => {
            if (wanted === 0 && error.code === 'EADDRINUSE') return ask(port + 1)
            throw error
          },
        )
      ask(wanted === 0 ? FIRST_FREE : wanted).then(
        (port) => {
          this.#port = port
          this.listening = true
          servers.set(port, this)
          this.emit('listening')
        },
        (error: Loose) => {
          this.#release?.()
          this.#release = undefined
          const known = error.code === 'EADDRINUSE' ? nodeError('EADDRINUSE', 'listen') : error
          later(() =>
            this.emit(
              'error',
              Object.assign(known, {
                address: this.#host,
                port: wanted,
                message: `listen ${error.code}: ${error.message} ${this.#host}:${wanted}`,
              }),
            ),
          )
        },
      )
      return this
    }

    address() {
      return this.listening
        ? { address: this.#host, family: this.#host.includes(':') ? 'IPv6' : 'IPv4', port: this.#port }
        : null
    }

    close(done?: (error?: Error) => void): this {
      if (!this.listening) {
        if (done)
          later(() => done(Object.assign(new Error('Server is not running.'), { code: 'ERR_SERVER_NOT_RUNNING' })))
        return this
      }
      this.listening = false
      servers.delete(this.#port)
      link.send({ type: 'unlisten', port: this.#port })
      this.#release?.()
      this.#release = undefined
      if (done) this.once('close', done)
      later(() => this.emit('close'))
      return this
    }

    closeAllConnections(): void {
      for (const socket of this.#sockets) socket.destroy()
    }
    closeIdleConnections(): void {}
    setTimeout(): this {
      return this
    }
    getConnections(done: (error: null, count: number) => void): void {
      done(null, this.#sockets.size)
    }
    ref(): this {
      if (this.listening) this.#release ??= handles.hold()
      return this
    }
    unref(): this {
      this.#release?.()
      this.#release = undefined
      return this
    }
    async [Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')](): Promise<void> {
      this.close()
    }

    /** Somebody talks to the server over a line of his own. */
    serve(line: MessagePort): void {
      const post = (message: FromServer) => line.postMessage(message)
      const sockets = new Map<number, Socket>()
      const receive = (message: ToServer) => {
        const { id } = message
        if (message.type === 'data') {
          const socket: Loose = sockets.get(id)
          if (socket && !socket.destroyed) socket.push(message.data === null ? null : Buffer.from(message.data))
          return
        }
        if (message.type === 'gone') {
          sockets.get(id)?.destroy()
          return
        }
        const socket = new Socket()
        socket.localPort = this.#port
        sockets.set(id, socket)
        this.#sockets.add(socket)
        const forget = () => {
          sockets.delete(id)
          this.#sockets.delete(socket)
        }
        socket.once('close', forget)
        const request = new IncomingMessage(socket)
        Object.assign(request, { method: message.method, url: message.url })
        request.takeHeaders(message.headers)
        try {
          if (message.upgrade) this.#upgrade(request, socket, id, post)
          else this.#answer(request, socket, id, message.body, post)
        } catch (error) {
          post({ type: 'failed', id, message: String(error) })
          forget()
          throw error
        }
      }
      line.onmessage = ({ data }: MessageEvent<ToServer>) => apart(() => receive(data))
      line.start()
    }

    #answer(
      request: IncomingMessage,
      socket: Socket,
      id: number,
      body: Uint8Array | null,
      post: (message: FromServer) => void,
    ): void {
      const response = new ServerResponse(request)
      response.sink = {
        head: (status, reason, headers) => post({ type: 'head', id, status, reason, headers }),
        chunk: (data) => post({ type: 'chunk', id, data: new Uint8Array(data) }),
        end: () => post({ type: 'end', id }),
      }
      socket.once('close', () => {
        if (response['writableFinished']) return
        request.aborted = true
        request['emit']('aborted')
        response['destroy']()
        post({ type: 'failed', id, message: 'The server closed the connection' })
      })
      response['once']('finish', () => later(() => socket.destroy()))
      this.emit('connection', socket)
      request.takeBody(body)
      if (!this.emit('request', request, response)) response.writeHead(404).end()
    }

    #upgrade(request: IncomingMessage, socket: Socket, id: number, post: (message: FromServer) => void): void {
      request.upgrade = true
      socket.send = (data) => post({ type: 'data', id, data: data && new Uint8Array(data) })
      socket.once('close', () => post({ type: 'data', id, data: null }))
      request.takeBody(null)
      if (this.emit('upgrade', request, socket, Buffer.alloc(0))) return
      post({ type: 'failed', id, message: 'This server takes no such connections' })
      socket.destroy()
    }
  }

  class ClientRequest extends OutgoingMessage {
    readonly #url: URL
    readonly #chunks: Uint8Array[] = []
    readonly #abort = new AbortController()
    method: string
    path: string
    host: string
    protocol: string
    reusedSocket = false
    aborted = false

    constructor(url: URL, options: Loose, done?: (answer: IncomingMessage) => void) {
      super()
      this.#url = url
      this.method = String(options.method ?? 'GET').toUpperCase()
      this.path = url.pathname + url.search
      this.host = url.hostname
      this.protocol = url.protocol
      this.socket = new Socket()
      for (const [name, value] of entriesOf(options.headers)) if (value !== undefined) this.setHeader(name, value)
      if (options.auth && !this.hasHeader('authorization'))
        this.setHeader('Authorization', `Basic ${Buffer.from(String(options.auth)).toString('base64')}`)
      if (done) this['once']('response', done)
      options.signal?.addEventListener('abort', () => this['destroy'](options.signal.reason))
      later(() => this['emit']('socket', this.socket))
    }

    abort(): void {
      this.aborted = true
      this['destroy']()
    }
    flushHeaders(): void {}
    setNoDelay(): void {}
    setSocketKeepAlive(): void {}

    _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
      this.#chunks.push(new Uint8Array(chunk))
      done()
    }

    _final(done: () => void): void {
      this.headersSent = true
      const release = handles.hold()
      const work = OWN_HOSTS.has(this.#url.hostname) ? this.#askSandbox() : this.#askNetwork()
      work.catch((error: Error) => this['destroy'](error)).finally(release)
      done()
    }

    _destroy(error: Error | null, done: (error: Error | null) => void): void {
      this.#abort.abort()
      done(error)
    }

    async #askSandbox(): Promise<void> {
      const body = Buffer.concat(this.#chunks)
      const port = Number(this.#url.port || 80)
      const headers: HeaderList = [
        ...this.headerList(),
        ...(this.hasHeader('host') ? [] : [['Host', this.#url.host] as const]),
        ...(body.length > 0 && !this.hasHeader('content-length')
          ? [['Content-Length', String(body.length)] as const]
          : []),
      ]
      const answer = new IncomingMessage(this.socket!)
      await talk(port, { method: this.method, url: this.path, headers, body }, this.#abort.signal, {
        head: inContext((status: number, reason: string, given: HeaderList) => {
          Object.assign(answer, { statusCode: status, statusMessage: reason })
          answer.takeHeaders(given)
          if (!this['emit']('response', answer)) answer['resume']()
        }),
        chunk: inContext((data: Uint8Array) => answer['push'](Buffer.from(data))),
        end: inContext(() => answer.takeBody(null)),
      })
    }

    async #askNetwork(): Promise<void> {
      const hasBody = this.method !== 'GET' && this.method !== 'HEAD'
      const given = await nativeFetch(this.#url, {
        method: this.method,
        headers: this.headerList().map(([name, value]) => [name, value]) as [string, string][],
        ...(hasBody ? { body: Buffer.concat(this.#chunks) as Uint8Array<ArrayBuffer> } : {}),
        signal: this.#abort.signal,
      }).catch((error: unknown) => {
        const words = `${this.#url.host} could not be reached from a page. Servers elsewhere answer pages when they allow it (CORS).`
        throw Object.assign(new Error(words, { cause: error }), { code: 'ECONNREFUSED' })
      })
      const answer = new IncomingMessage(this.socket!)
      Object.assign(answer, { statusCode: given.status, statusMessage: given.statusText })
      answer.takeHeaders([...given.headers])
      if (!this['emit']('response', answer)) answer['resume']()
      for await (const chunk of given.body ?? []) answer['push'](Buffer.from(chunk as Uint8Array))
      answer.takeBody(null)
    }
  }

  const nativeFetch = globalThis.fetch.bind(globalThis)

  /** One request to a port of the sandbox. */
  async function talk(
    port: number,
    request: { method: string; url: string; headers: HeaderList; body: Uint8Array | null },
    signal: AbortSignal | undefined,
    sink: {
      head(status: number, reason: string, headers: HeaderList): void
      chunk(data: Uint8Array): void
      end(): void
    },
  ): Promise<void> {
    const { line } = await link.ask({ type: 'connect', port }).catch(() => {
      throw Object.assign(nodeError('ECONNREFUSED', 'connect'), {
        address: '127.0.0.1',
        port,
        message: `connect ECONNREFUSED 127.0.0.1:${port}`,
      })
    })
    if (!line) return
    try {
      await new Promise<void>((resolve, reject) => {
        signal?.addEventListener('abort', () => {
          line.postMessage({ type: 'gone', id: 1 } satisfies ToServer)
          reject(signal.reason as Error)
        })
        line.onmessage = ({ data }: MessageEvent<FromServer>) => {
          if (data.type === 'head') sink.head(data.status, data.reason, data.headers)
          else if (data.type === 'chunk') sink.chunk(data.data)
          else if (data.type === 'failed') reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))
          else if (data.type === 'end') {
            sink.end()
            resolve()
          }
        }
        line.postMessage({ type: 'request', id: 1, upgrade: false, ...request } satisfies ToServer)
      })
    } finally {
      line.close()
    }
  }

  function requestOf(scheme: 'http:' | 'https:') {
    return (first: Loose, second?: Loose, third?: Loose): ClientRequest => {
      const isAddress = typeof first === 'string' || first instanceof URL
      const options: Loose = (isAddress ? (typeof second === 'function' ? {} : second) : first) ?? {}
      const done = [first, second, third].find((one) => typeof one === 'function')
      const host = String(options.hostname ?? options.host ?? 'localhost').replace(/:\d+$/, '')
      const port = options.port ? `:${String(options.port)}` : ''
      checkRequest(isAddress ? { ...options, protocol: new URL(String(first)).protocol } : options, scheme)
      if (options.path !== undefined && options.path !== null && /[^\u0021-\u00ff]/.test(String(options.path)))
        throw codedError('ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters', TypeError)
      const base = isAddress
        ? new URL(String(first))
        : new URL(`${options.protocol ?? scheme}//${host}${port}${options.path ?? '/'}`)
      const { username, password } = base
      const auth = username || password ? `${decodeURIComponent(username)}:${decodeURIComponent(password)}` : undefined
      return new ClientRequest(base, { ...options, auth: options.auth ?? auth }, done)
    }
  }
  const clientOf = (scheme: 'http:' | 'https:'): Loose => {
    const request = requestOf(scheme)
    const get = (...given: Loose[]) => {
      const made = request(given[0], given[1], given[2])
      ;(made as Loose).end()
      return made
    }
    class Agent extends EventEmitter {
      readonly options: unknown
      readonly sockets = {}
      readonly requests = {}
      constructor(options: unknown = {}) {
        super()
        this.options = options
      }
      destroy(): void {}
    }
    return { request, get, Agent, globalAgent: new Agent() }
  }

  /** As pages have it, with the servers of the sandbox at `localhost`. */
  const fetchHere = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
    handles.during(ask(new Request(input, init)))

  const ask = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    if (!OWN_HOSTS.has(url.hostname)) {
      const answer = await nativeFetch(request)
      // A process lives until the body is there, and a little longer, so that whoever waits for it goes on.
      const release = handles.hold()
      const arrived = answer.clone().arrayBuffer()
      arrived.catch(() => undefined).finally(() => later(() => later(release)))
      return answer
    }
    const body = new Uint8Array(await request.arrayBuffer())
    const headers: HeaderList = [
      ['host', url.host],
      ...request.headers,
      ...(body.length > 0 ? [['content-length', String(body.length)] as const] : []),
    ]
    return new Promise<Response>((resolve, reject) => {
      const release = handles.hold()
      let to: ReadableStreamDefaultController<Uint8Array> | undefined
      const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (to = controller) })
      const asked = { method: request.method, url: url.pathname + url.search, headers, body }
      talk(Number(url.port || 80), asked, request.signal, {
        head: (status, statusText, given) => {
          const isEmpty = status === 204 || status === 304
          const made = new Headers(given.map(([name, value]) => [name, value] as [string, string]))
          resolve(new Response(isEmpty ? null : stream, { status, statusText, headers: made }))
        },
        chunk: (data) => to?.enqueue(data),
        end: () => to?.close(),
      })
        .catch((error: unknown) => {
          const failure = new TypeError('fetch failed', { cause: error })
          reject(failure)
          to?.error(failure)
        })
        .finally(() => later(() => later(release)))
    })
  }

  /** Programs make servers with and without `new`. */
  const CallableServer: Loose = new Proxy(Server, { apply: (_kind, _self, given) => new Server(...(given as Loose[])) })
  const http: Loose = {
    ...clientOf('http:'),
    Server: CallableServer,
    IncomingMessage,
    ServerResponse,
    OutgoingMessage,
    ClientRequest,
    STATUS_CODES,
    METHODS,
    maxHeaderSize: 16_384,
    validateHeaderName,
    validateHeaderValue,
    createServer: (options?: Loose, listener?: Loose) => new Server(options, listener),
    setMaxIdleHTTPParsers: () => undefined,
  }
  const https: Loose = {
    ...clientOf('https:'),
    Server,
    createServer: () => {
      throw notInBrowser('A server with TLS')
    },
  }
  return {
    http,
    https,
    fetch: fetchHere,
    /** Somebody wants to talk to the server on a port. */
    take(port: number, line: MessagePort): void {
      servers.get(port)?.serve(line)
    },
  }
}
