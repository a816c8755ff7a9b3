import { Buffer } from 'buffer/index.js'
import { inContext } from '../asyncContext.ts'
import { lengthOf } from '../../common/httpLine.ts'
import type { FromServer, Headers as HeaderList, ToServer } from '../../common/httpLine.ts'
import { codedError, nodeError } from '../nodeError.ts'
import { Agent, HttpsAgent } from './httpAgent.ts'
import { IncomingMessage, OutgoingMessage, TOKEN, entriesOf } from './httpMessages.ts'
import { abortError, checkString, wrongType } from './check.ts'
import { upgradeLine } from './httpUpgrade.ts'
import { durationOf } from './net.ts'
import type { HttpOptions } from './http.ts'
import type { Socket } from './net.ts'
import type { Loose } from '../loose.ts'

/** The hosts by which programs of a sandbox find each other. */
export const OWN_HOSTS: ReadonlySet<string> = new Set([
  'localhost',
  '127.0.0.1',
  '0.0.0.0',
  '[::1]',
  '::1',
  '[::]',
  '::',
])
/** That of the page, as it is before programs have one of their own. */
export const nativeFetch = globalThis.fetch.bind(globalThis)

const hungUp = (words: string): Error => Object.assign(new Error(words), { code: 'ECONNRESET' })

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

/** Requests of a process: to its sandbox over lines, to everybody else as a page asks. */
export function makeHttpClient({ link, handles, later }: HttpOptions) {
  class ClientRequest extends OutgoingMessage {
    readonly #url: URL
    readonly #chunks: Uint8Array[] = []
    readonly #abort = new AbortController()
    readonly #name: string
    #isAsked = false
    #isUpgraded = false
    #hasSocket = false
    /** Waits for the agent to give it a socket. */
    #whenGiven: (() => void) | undefined
    readonly agent: Agent
    method: string
    path: string
    host: string
    protocol: string
    timeout: number | undefined
    reusedSocket = false
    aborted = false
    res: IncomingMessage | null = null
    maxHeadersCount: number | null = null

    constructor(url: URL, options: Loose, agent: Agent, done?: (answer: IncomingMessage) => void) {
      // It is over when it has been answered, not when everything is said.
      super()
      this['_writableState'].autoDestroy = false
      this.#url = url
      this.method = String(options.method ?? 'GET').toUpperCase()
      this.path = options.path ? String(options.path) : url.pathname + url.search
      this.host = url.hostname
      this.protocol = url.protocol
      if (options.timeout !== undefined) this.timeout = durationOf(options.timeout, 'timeout')
      for (const [name, value] of entriesOf(options.headers)) if (value !== undefined) this.setHeader(name, value)
      if (!this.hasHeader('host') && options.setHost !== false) this.setHeader('Host', url.host)
      if (options.auth && !this.hasHeader('authorization'))
        this.setHeader('Authorization', `Basic ${Buffer.from(String(options.auth)).toString('base64')}`)
      if (done) this['once']('response', done)
      this.agent = agent
      const asked = { ...options, host: this.host, port: Number(url.port) || agent.defaultPort }
      this.#name = agent.getName({ ...asked, ...agent.options })
      const { signal } = options
      if (signal?.aborted) later(() => this['destroy'](abortError(signal)))
      signal?.addEventListener('abort', () => this['destroy'](abortError(signal)))
      agent.addRequest(this as Loose, asked)
    }

    onSocket(socket: Socket): void {
      const { agent } = this
      this.socket = socket
      if (this.timeout) socket.setTimeout(this.timeout)
      const tellTimeout = () => this['emit']('timeout')
      socket['on']('timeout', tellTimeout)
      const close = () => this['destroy']()
      socket['once']('close', close)
      this['once']('close', () => {
        socket['off']('timeout', tellTimeout)['off']('close', close)
        if (this.#isUpgraded) agent.detach(socket, this.#name)
        else agent.release(socket, this.#name, this.res?.complete === true)
      })
      later(() => {
        if (this['destroyed']) return
        this.#hasSocket = true
        this['emit']('socket', socket)
        this.#whenGiven?.()
      })
    }

    abort(): void {
      if (this.aborted) return
      this.aborted = true
      later(() => this['emit']('abort'))
      this['destroy']()
    }
    flushHeaders(): void {}
    setNoDelay(): void {}
    setSocketKeepAlive(): void {}
    override setTimeout(ms: number, done?: () => void): this {
      if (this.res?.complete) return this
      const wanted = durationOf(ms, 'msecs')
      if (done) this['once']('timeout', done)
      this.timeout = wanted
      this.socket?.setTimeout(wanted)
      return this
    }
    clearTimeout(done?: () => void): void {
      this.setTimeout(0)
      if (done) this['off']('timeout', done)
    }

    _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
      this.#chunks.push(new Uint8Array(chunk))
      this.socket?.touch()
      done()
    }

    _final(done: () => void): void {
      this.headersSent = true
      this.finished = true
      const release = handles.hold()
      this['once']('close', release)
      this.#whenGiven = () => {
        if (this.#isAsked) return
        this.#isAsked = true
        const isOwn = OWN_HOSTS.has(this.#url.hostname)
        const work = !isOwn ? this.#askNetwork() : this.hasHeader('upgrade') ? this.#upgrade() : this.#askSandbox()
        // Once there is an answer, it is the answer that fails.
        work.catch((error: Error) => void this['destroy'](this.res ? undefined : error)).finally(release)
      }
      if (this.socket) later(() => this.#whenGiven?.())
      done()
    }

    _destroy(error: Error | null, done: (error: Error | null) => void): void {
      this.#abort.abort()
      const answer = this.res
      if (this.#isUpgraded) {
        done(error)
        return
      }
      if (answer && !answer.complete) {
        answer['destroy'](hungUp('aborted'))
      }
      // Who gives up before there was a connection knows.
      const isKnown = answer !== null || (this.aborted && !this.#hasSocket)
      done(error ?? (isKnown ? null : hungUp('socket hang up')))
    }

    #answer(status: number, reason: string, headers: HeaderList): IncomingMessage {
      const answer = new IncomingMessage(this.socket!)
      this.res = answer
      Object.assign(answer, { statusCode: status, statusMessage: reason, req: this })
      answer.takeHeaders(headers)
      // It is over for who asked when everything is read, or is no longer wanted.
      answer['once']('close', () => this['destroy']())
      this.socket?.touch()
      if (!this['emit']('response', answer)) answer['resume']()
      return answer
    }

    async #askSandbox(): Promise<void> {
      const body = Buffer.concat(this.#chunks)
      const port = Number(this.#url.port || 80)
      const headers: HeaderList = [
        ...this.headerList(),
        ...(this.hasHeader('content-length') || this.hasHeader('transfer-encoding')
          ? []
          : lengthOf(this.method, body.length)),
      ]
      let answer: IncomingMessage | undefined
      await talk(port, { method: this.method, url: this.path, headers, body }, this.#abort.signal, {
        head: inContext((status: number, reason: string, given: HeaderList) => {
          answer = this.#answer(status, reason, given)
        }),
        chunk: inContext((data: Uint8Array) => {
          this.socket?.touch()
          if (answer && !answer['destroyed']) answer['push'](Buffer.from(data))
        }),
        end: inContext(() => answer?.takeBody(null)),
      })
    }

    async #upgrade(): Promise<void> {
      const line = await connect(Number(this.#url.port || 80))
      const socket = this.socket!
      let body: IncomingMessage | undefined
      await new Promise<void>((resolve, reject) => {
        const over = () => {
          upgraded.close()
          resolve()
        }
        this.#abort.signal.addEventListener('abort', () => {
          if (!this.#isUpgraded) over()
        })
        const upgraded = upgradeLine(
          line,
          { method: this.method, url: this.path, headers: this.headerList() },
          {
            head: ({ status, reason, headers }, rest) => {
              if (status !== 101) {
                body = this.#answer(status, reason, headers)
                if (rest.length > 0) body['push'](Buffer.from(rest))
                return
              }
              this.#isUpgraded = true
              const answer = new IncomingMessage(socket)
              Object.assign(answer, { statusCode: status, statusMessage: reason, req: this, upgrade: true })
              answer.takeHeaders(headers)
              answer.takeBody(null)
              this.res = answer
              socket.send = (data) => upgraded.send(data && new Uint8Array(data))
              socket['once']('close', over)
              // Who talks over it waits for what comes.
              socket['once']('close', handles.hold())
              const isHeard: boolean = this['emit']('upgrade', answer, socket, Buffer.from(rest))
              this['destroy']()
              if (!isHeard) socket['destroy']()
            },
            data: (bytes) => {
              if (body) {
                if (bytes) body['push'](Buffer.from(bytes))
                else body.takeBody(null)
                if (!bytes) over()
              } else if (!socket['destroyed']) socket['push'](bytes && Buffer.from(bytes))
            },
            failed: () => {
              reject(hungUp('socket hang up'))
              socket['destroy']()
            },
          },
        )
      })
    }

    async #askNetwork(): Promise<void> {
      const hasBody = this.method !== 'GET' && this.method !== 'HEAD'
      const given = await nativeFetch(new URL(this.path, this.#url), {
        method: this.method,
        headers: this.headerList()
          .filter(([name]) => name.toLowerCase() !== 'host')
          .map(([name, value]) => [name, value]) as [string, string][],
        ...(hasBody ? { body: Buffer.concat(this.#chunks) as Uint8Array<ArrayBuffer> } : {}),
        signal: this.#abort.signal,
      }).catch((error: unknown) => {
        const words = `${this.#url.host} could not be reached from a page. Servers elsewhere answer pages when they allow it (CORS).`
        throw Object.assign(new Error(words, { cause: error }), { code: 'ECONNREFUSED' })
      })
      const answer = this.#answer(given.status, given.statusText, [...given.headers])
      for await (const chunk of given.body ?? []) {
        this.socket?.touch()
        if (!answer['destroyed']) answer['push'](Buffer.from(chunk as Uint8Array))
      }
      answer.takeBody(null)
    }
  }

  /** A line of its own to what listens on a port of the sandbox. */
  async function connect(port: number): Promise<MessagePort> {
    const { line } = await link.ask({ type: 'connect', port }).catch(() => {
      throw Object.assign(nodeError('ECONNREFUSED', 'connect'), {
        address: '127.0.0.1',
        port,
        message: `connect ECONNREFUSED 127.0.0.1:${port}`,
      })
    })
    return line!
  }

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
    const line = await connect(port)
    let giveUp: () => void = () => undefined
    try {
      signal?.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        giveUp = () => {
          line.postMessage({ type: 'gone', id: 1 } satisfies ToServer)
          reject(signal!.reason as Error)
        }
        signal?.addEventListener('abort', giveUp)
        line.onmessage = ({ data }: MessageEvent<FromServer>) => {
          if (data.type === 'head') sink.head(data.status, data.reason, data.headers)
          else if (data.type === 'chunk') sink.chunk(data.data)
          else if (data.type === 'failed') reject(hungUp('socket hang up'))
          else if (data.type === 'end') {
            sink.end()
            resolve()
          }
        }
        line.postMessage({ type: 'request', id: 1, upgrade: false, ...request } satisfies ToServer)
      })
    } finally {
      signal?.removeEventListener('abort', giveUp)
      line.close()
    }
  }

  function requestOf(scheme: 'http:' | 'https:', standard: () => Agent) {
    return (first: Loose, second?: Loose, third?: Loose): ClientRequest => {
      const isAddress = typeof first === 'string' || first instanceof URL
      const options: Loose = (isAddress ? (typeof second === 'function' ? {} : second) : first) ?? {}
      const done = [first, second, third].find((one) => typeof one === 'function')
      checkRequest(isAddress ? { ...options, protocol: new URL(String(first)).protocol } : options, scheme)
      if (options.path !== undefined && options.path !== null && /[^\u0021-\u00ff]/.test(String(options.path)))
        throw codedError('ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters', TypeError)
      const base = isAddress ? new URL(String(first)) : new URL(`${options.protocol ?? scheme}//${hostOf(options)}`)
      const { username, password } = base
      const auth = username || password ? `${decodeURIComponent(username)}:${decodeURIComponent(password)}` : undefined
      const agent = agentOf(options.agent, standard())
      return new ClientRequest(base, { ...options, auth: options.auth ?? auth }, agent, done)
    }
  }
  const clientOf = (scheme: 'http:' | 'https:'): Loose => {
    const OwnAgent = scheme === 'http:' ? Agent : HttpsAgent
    const request = requestOf(scheme, () => client.globalAgent)
    const get = (...given: Loose[]) => {
      const made = request(given[0], given[1], given[2])
      ;(made as Loose).end()
      return made
    }
    const client: Loose = {
      request,
      get,
      Agent: new Proxy(OwnAgent, { apply: (_kind, _self, given) => new OwnAgent(given[0]) }),
      globalAgent: new OwnAgent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 }),
    }
    return client
  }
  return { ClientRequest, clientOf, talk }
}

function hostOf({ hostname, host, port }: Loose): string {
  const name = String(hostname ?? host ?? 'localhost')
  const plain = name.includes('::') ? `[${name.replaceAll(/[[\]]/g, '')}]` : name.replace(/:\d+$/, '')
  return port ? `${plain}:${String(port)}` : plain
}

/** From where a connection comes is nothing that a page can choose: an agent of another kind counts as none. */
function agentOf(given: Loose, standard: Agent): Agent {
  if (given === false) return new Agent()
  if (given instanceof Agent) return given
  if (given === undefined || given === null || typeof given.addRequest === 'function') return standard
  throw wrongType('options.agent', 'one of Agent-like Object, undefined, or false', given)
}
