import { Buffer } from 'buffer/index.js'
import EventEmitter from 'events/events.js'
import { apart } from '../asyncContext.ts'
import { lengthOf } from '../../common/httpLine.ts'
import type { FromServer, Headers as HeaderList, ToServer } from '../../common/httpLine.ts'
import { nodeError, notInBrowser } from '../nodeError.ts'
import type { Handles } from '../handles.ts'
import type { ProgramLink } from '../programLink.ts'
import {
  IncomingMessage,
  METHODS,
  OutgoingMessage,
  ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from './httpMessages.ts'
import { OWN_HOSTS, makeHttpClient, nativeFetch } from './httpClient.ts'
import { Socket, durationOf } from './net.ts'
import type { Loose } from '../loose.ts'

export interface HttpOptions {
  link: ProgramLink
  handles: Handles
  later(work: () => void): void
}

/** Without a wish a server gets one of these. */
const FIRST_FREE = 49_152

/** Node's `http` over lines: a server answers what comes to its port from previews and from other processes of the sandbox. */
export function makeHttp({ link, handles, later }: HttpOptions) {
  const servers = new Map<number, Server>()
  const { ClientRequest, clientOf, talk } = makeHttpClient({ link, handles, later })

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
      this.#tellClosed()
      return this
    }

    /** It is closed when those who are being answered have been. */
    #tellClosed(): void {
      if (this.#sockets.size === 0) later(() => this.emit('close'))
    }

    closeAllConnections(): void {
      for (const socket of this.#sockets) socket.destroy()
    }
    closeIdleConnections(): void {}
    setTimeout(ms: Loose = 0, done?: () => void): this {
      this.timeout = durationOf(typeof ms === 'function' ? 0 : ms, 'msecs')
      if (done) this.on('timeout', done)
      for (const socket of this.#sockets) socket.setTimeout(this.timeout)
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
          if (!this.#sockets.delete(socket)) return
          if (!this.listening) this.#tellClosed()
        }
        socket['once']('close', forget)
        if (this.timeout > 0) socket.setTimeout(this.timeout)
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
        chunk: (data) => {
          socket.touch()
          post({ type: 'chunk', id, data: new Uint8Array(data) })
        },
        end: () => post({ type: 'end', id }),
      }
      socket['on']('timeout', () => {
        const heard = [request, response, this].map((one: Loose) => one.emit('timeout', socket) as boolean)
        if (!heard.includes(true)) socket['destroy']()
      })
      socket['once']('close', () => {
        if (response['writableFinished']) return
        request['destroy'](Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
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
    const headers: HeaderList = [['host', url.host], ...request.headers, ...lengthOf(request.method, body.length)]
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
