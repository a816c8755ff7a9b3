import EventEmitter from 'events/events.js'
import { codedError } from '../nodeError.ts'
import { inspect } from 'node-inspect-extracted'
import { outOfRange } from './check.ts'
import { Socket } from './net.ts'
import type { Loose } from '../loose.ts'

/** What an agent gives sockets to. */
export interface AgentRequest {
  onSocket(socket: Socket): void
  readonly destroyed: boolean
}

type ByName<T> = Record<string, T[]>
const byName = <T>(): ByName<T> => Object.create(null) as ByName<T>

const OF_TLS =
  'ca cert clientCertEngine ciphers key pfx rejectUnauthorized servername minVersion maxVersion secureProtocol crl honorCipherOrder ecdhCurve dhparam secureOptions sessionIdContext sigalgs privateKeyIdentifier privateKeyEngine'.split(
    ' ',
  )

/** Node's `Agent`: which requests wait for others to the same host. What they share are no connections, but their number. */
export class Agent extends EventEmitter {
  static defaultMaxSockets = Infinity
  defaultPort = 80
  protocol = 'http:'
  readonly options: Loose
  readonly requests = byName<[AgentRequest, Loose]>()
  readonly sockets = byName<Socket>()
  readonly freeSockets = byName<Socket>()
  readonly keepAliveMsecs: number
  readonly keepAlive: boolean
  maxSockets: number
  maxFreeSockets: number
  maxTotalSockets: number
  scheduling: string
  totalSocketCount = 0

  constructor(options: Loose = {}) {
    super()
    this.options = { noDelay: true, ...options, path: null }
    this.keepAliveMsecs = this.options.keepAliveMsecs || 1000
    this.keepAlive = this.options.keepAlive || false
    this.maxSockets = this.options.maxSockets || Agent.defaultMaxSockets
    this.maxFreeSockets = this.options.maxFreeSockets || 256
    this.scheduling = this.options.scheduling || 'lifo'
    if (this.scheduling !== 'fifo' && this.scheduling !== 'lifo')
      throw codedError(
        'ERR_INVALID_ARG_VALUE',
        `The argument 'scheduling' must be one of: 'fifo', 'lifo'. Received ${inspect(this.scheduling)}`,
        TypeError,
      )
    const { maxTotalSockets } = this.options
    if (maxTotalSockets !== undefined && typeof maxTotalSockets !== 'number')
      throw codedError(
        'ERR_INVALID_ARG_TYPE',
        `The "maxTotalSockets" argument must be of type number. Received ${inspect(maxTotalSockets)}`,
        TypeError,
      )
    if (maxTotalSockets < 1 || Number.isNaN(maxTotalSockets))
      throw outOfRange('maxTotalSockets', '>= 1', maxTotalSockets)
    this.maxTotalSockets = maxTotalSockets ?? Infinity
  }

  getName(options: Loose = {}): string {
    const name = `${options.host || 'localhost'}:${options.port || ''}:${options.localAddress || ''}`
    const family = options.family === 4 || options.family === 6 ? `:${options.family}` : ''
    return name + family + (options.socketPath ? `:${options.socketPath}` : '')
  }

  addRequest(request: AgentRequest, options: Loose): void {
    const asked = { ...options, ...this.options }
    const name = this.getName(asked)
    const free = this.freeSockets[name]
    const socket = this.scheduling === 'fifo' ? free?.shift() : free?.pop()
    if (free?.length === 0) delete this.freeSockets[name]
    if (socket) {
      this.reuseSocket(socket, request)
      this.#give(request, socket, name)
    } else if ((this.sockets[name]?.length ?? 0) < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
      this.#give(request, this.#make(asked), name)
    } else {
      ;(this.requests[name] ??= []).push([request, asked])
    }
  }

  reuseSocket(_socket: Socket, request: AgentRequest): void {
    Object.assign(request, { reusedSocket: true })
  }
  keepSocketAlive(): boolean {
    return true
  }

  /** It has become something else, and belongs to who asked. */
  detach(socket: Socket, name: string): void {
    const mine = this.sockets[name]
    const at = mine?.indexOf(socket) ?? -1
    if (at < 0) return
    mine!.splice(at, 1)
    if (mine!.length === 0) delete this.sockets[name]
    this.totalSocketCount -= 1
    this.#giveNext()
  }

  /** The request that had it is over: it is kept, or ends. */
  release(socket: Socket, name: string, isReusable: boolean): void {
    if (!this.sockets[name]?.includes(socket)) return
    const next = isReusable && this.keepAlive && !socket['destroyed'] ? this.#nextOf(name) : undefined
    if (next) {
      next.onSocket(socket)
      return
    }
    const isRoom = (this.freeSockets[name]?.length ?? 0) < this.maxFreeSockets
    if (isReusable && this.keepAlive && isRoom && !socket['destroyed']) {
      this.totalSocketCount += 1
      socket.setTimeout(0)
      ;(this.freeSockets[name] ??= []).push(socket)
      this.emit('free', socket, { agentKey: name })
    } else {
      socket['destroy']()
    }
    this.detach(socket, name)
  }

  destroy(): void {
    for (const sockets of [this.sockets, this.freeSockets])
      for (const socket of Object.values(sockets).flat()) socket['destroy']()
    for (const name of Object.keys(this.freeSockets)) {
      this.totalSocketCount -= this.freeSockets[name]!.length
      delete this.freeSockets[name]
    }
  }

  #make(options: Loose): Socket {
    this.totalSocketCount += 1
    const socket = new Socket()
    if (options.timeout) socket.setTimeout(options.timeout)
    return socket
  }

  #give(request: AgentRequest, socket: Socket, name: string): void {
    ;(this.sockets[name] ??= []).push(socket)
    request.onSocket(socket)
  }

  /** Who waits for a socket to this host. */
  #nextOf(name: string): AgentRequest | undefined {
    const waiting = this.requests[name] ?? []
    let next = waiting.shift()
    while (next?.[0].destroyed) next = waiting.shift()
    if (waiting.length === 0) delete this.requests[name]
    return next?.[0]
  }

  #giveNext(): void {
    for (const [name, waiting] of Object.entries(this.requests)) {
      const [next] = waiting
      if (!next || (this.sockets[name]?.length ?? 0) >= this.maxSockets) continue
      if (this.totalSocketCount >= this.maxTotalSockets && !this.freeSockets[name]) continue
      waiting.shift()
      if (waiting.length === 0) delete this.requests[name]
      if (next[0].destroyed) this.#giveNext()
      else this.addRequest(...next)
      return
    }
  }
}

export class HttpsAgent extends Agent {
  override defaultPort = 443
  override protocol = 'https:'

  override getName(options: Loose = {}): string {
    const parts = OF_TLS.map((part) => {
      const value = options[part]
      if (part === 'sigalgs') return value ? JSON.stringify(value) : ''
      const isSaid = part === 'rejectUnauthorized' || part === 'honorCipherOrder' || part === 'secureOptions'
      return (isSaid ? value !== undefined : value) ? String(value) : ''
    })
    return [super.getName(options), ...parts].join(':')
  }
}
