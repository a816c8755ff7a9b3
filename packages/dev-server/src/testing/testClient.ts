import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import {
  classify,
  decode,
  encode,
  ProtocolError,
  type JoinResult,
  type MethodName,
  type NotificationMessage,
  type NotificationName,
  type NotificationParams,
  type Params,
  type ParamsInput,
  type Result,
} from '@boxyard/protocol'
import { WebSocket, type RawData } from 'ws'

interface Pending {
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

const everything = {
  client: { status: true },
  file: { status: true, selection: true, ot: true },
  fs: { operations: true },
  git: { status: true, operations: true },
  port: { status: true },
  setup: { progress: true },
  shell: { status: true },
  system: { metrics: true },
}

/** A plain client of the wire protocol, without any state of its own: what it received is there to look at. */
export class TestClient {
  readonly socket: WebSocket
  readonly received: NotificationMessage[] = []
  /** Everything that arrived, in order, for tests about order. */
  readonly frames: ('text' | { at: number; message: ReturnType<typeof classify> })[] = []
  /** Called for each arrival, before anything that awaits it goes on. What it throws ends the client with `failure`. */
  onFrame: ((message: ReturnType<typeof classify>) => void) | undefined
  failure: unknown
  readonly closed: Promise<{ code: number }>
  joined!: JoinResult
  readonly #pending = new Map<number, Pending>()
  #watchers: (() => boolean)[] = []
  #nextId = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => {
      socket.on('close', (code) => {
        for (const { reject } of this.#pending.values()) reject(new Error('The socket closed'))
        this.#pending.clear()
        resolve({ code })
      })
    })
  }

  /** Opens a socket without joining, at a path or over a connection that is there. Rejects with the status of a refused upgrade in the message. */
  static async open(server: string | Duplex, token: string, query = ''): Promise<TestClient> {
    const socket =
      typeof server === 'string'
        ? new WebSocket(`ws+unix:${server}:/?token=${token}${query}`)
        : new WebSocket(`ws://dev-server/?token=${token}${query}`, { createConnection: () => server as Socket })
    const client = new TestClient(socket)
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve())
      socket.once('error', reject)
    })
    return client
  }

  static async join(
    server: string | Duplex,
    token: string,
    options: { query?: string; appId?: string; subscriptions?: Params<'client/join'>['subscriptions'] } = {},
  ): Promise<TestClient> {
    const client = await TestClient.open(server, token, options.query)
    client.joined = await client.call('client/join', {
      clientInfo: { protocolVersion: '0.367.10', appId: options.appId ?? 'test' },
      asyncProgress: false,
      subscriptions: options.subscriptions ?? everything,
    })
    return client
  }

  get clientId(): string {
    return this.joined.client.clientId
  }

  call<M extends MethodName>(method: M, params: ParamsInput<M>): Promise<Result<M>> {
    const id = this.#nextId
    this.#nextId += 1
    return this.raw({ id, method, params })
  }

  raw<R>(request: { id: number; method: string; params: unknown }): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        reject(new Error('The socket is closed'))
        return
      }
      this.#pending.set(request.id, { resolve: resolve as (result: never) => void, reject })
      this.socket.send(encode(request))
    })
  }

  /** The first notification of this name, already here or to come, that passes `only`. It is taken out. */
  async next<N extends NotificationName>(
    name: N,
    only: (params: NotificationParams<N>) => boolean = () => true,
  ): Promise<NotificationParams<N>> {
    let found: NotificationParams<N> | undefined
    await this.until(() => {
      const index = this.received.findIndex(
        ({ method, params }) => method === name && only(params as NotificationParams<N>),
      )
      if (index < 0) return false
      found = this.received.splice(index, 1)[0]?.params as NotificationParams<N>
      return true
    })
    return found as NotificationParams<N>
  }

  /** Resolves when the condition holds; it is looked at after each frame. */
  async until(condition: () => boolean): Promise<void> {
    if (condition()) return
    await new Promise<void>((resolve) => {
      this.#watchers.push(() => {
        if (!condition()) return false
        resolve()
        return true
      })
    })
  }

  async close(): Promise<void> {
    this.socket.close()
    await this.closed
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (isBinary) {
      const message = classify(decode(data as Buffer))
      this.frames.push({ at: performance.now(), message })
      try {
        this.onFrame?.(message)
      } catch (error) {
        this.failure ??= error
        this.socket.terminate()
        return
      }
      if (message.kind === 'notification') this.received.push(message.message)
      else {
        const pending = this.#pending.get(message.message.id)
        this.#pending.delete(message.message.id)
        if (message.kind === 'result') pending?.resolve(message.message.result as never)
        else {
          const { code, message: text, data: details } = message.message.error
          pending?.reject(new ProtocolError(code, text, details))
        }
      }
    } else {
      this.frames.push('text')
    }
    this.#watchers = this.#watchers.filter((watch) => !watch())
  }
}
