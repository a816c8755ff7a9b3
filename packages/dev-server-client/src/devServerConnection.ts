import { hasFeature, isOlderVersion, PROTOCOL_VERSION } from '@boxyard/protocol'
import type {
  Feature,
  JoinResult,
  MethodName,
  NotificationName,
  NotificationParams,
  ParamsInput,
  Result,
} from '@boxyard/protocol'
import { createActor } from 'xstate'
import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import type {
  Connection,
  ConnectionState,
  DevServerClientOptions,
  InitStatus,
  Instance,
  RequestOptions,
} from './api.ts'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { connectionMachine } from './connectionMachine.ts'
import { DevServerClientError } from './errors.ts'
import { Emitter } from './event.ts'
import type { Disposable } from './event.ts'
import { duringInstanceChange, isQueued } from './requestPolicy.ts'
import { Session } from './session.ts'
import { disconnectTelemetry, reconnectTelemetry } from './telemetry.ts'
import type { ConnectionTelemetry } from './telemetry.ts'
import { MAX_QUEUED, timings } from './timings.ts'
import { isNotificationName, validateNotification } from './wireValidation.ts'

type Machine = ReturnType<typeof connectionMachine>

interface QueuedRequest {
  send(session: Session): void
  reject(error: Error): void
}

interface InstanceChange {
  prepare: () => Promise<() => Promise<Instance>>
  from: string | undefined
  /** How the host was asked before, once the next instance is made. */
  earlier: (() => Promise<Instance>) | undefined
  /** Requests for the next instance. */
  held: QueuedRequest[]
  settle: { resolve(): void; reject(error: Error): void }
}

/** The connection: runs the state machine, owns the socket of the moment and the queue of requests that wait for one. */
export class DevServerConnection implements Connection {
  readonly #options: DevServerClientOptions
  readonly #clock: Clock
  readonly #actor: ActorRefFrom<Machine>
  readonly #stateEmitter = new Emitter<ConnectionState>()
  readonly #initStatusEmitter = new Emitter<InitStatus>()
  readonly #joinEmitter = new Emitter<JoinResult>()
  readonly #permissionsEmitter = new Emitter<JoinResult>()
  readonly #telemetryEmitter = new Emitter<ConnectionTelemetry>()
  readonly #invalidEmitter = new Emitter<{ area: string; error: Error }>()
  readonly #notifications = new Map<string, Emitter<never>>()
  readonly #subscriptions: Disposable[] = []
  #queue: QueuedRequest[] = []
  #settling: { resolve(): void; reject(error: Error): void }[] = []
  #session: Session | undefined
  #requestId = 0
  #state: ConnectionState = { kind: 'IDLE' }
  #instance: Instance | undefined
  #joined: JoinResult | undefined
  #isDisposed = false
  /** How the host is asked for the instance of now. */
  #resolveInstance: () => Promise<Instance>
  #change: InstanceChange | undefined
  #lastActivityAt: number
  #lastFocusAt: number

  readonly onTelemetry = this.#telemetryEmitter.event
  readonly onDidChangeState = this.#stateEmitter.event
  readonly onInitStatus = this.#initStatusEmitter.event
  readonly onDidJoin = this.#joinEmitter.event
  readonly onDidChangePermissions = this.#permissionsEmitter.event
  /** A notification that does not have its shape; it was not delivered. */
  readonly onInvalidNotification = this.#invalidEmitter.event

  constructor(options: DevServerClientOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#resolveInstance = () => options.resolveInstance()
    this.#lastActivityAt = this.#clock.now()
    this.#lastFocusAt = this.#clock.now()
    const machine = connectionMachine({
      now: () => this.#clock.now(),
      isFocused: () => this.#isFocused,
      open: (signal) => this.#open(signal, undefined),
      join: () => this.#join(true, timings.join),
      reopen: async (signal) => {
        await this.#open(signal, this.#joined?.reconnectToken)
        await this.#join(false, timings.reconnectTry)
      },
      prepareChange: async () => {
        const change = this.#change
        if (!change) throw new DevServerClientError('NO_INSTANCE')
        const resolve = await change.prepare()
        change.earlier = this.#resolveInstance
        this.#resolveInstance = resolve
      },
      leave: () => this.#session && this.#drop(this.#session),
      revertChange: () => {
        if (this.#change?.earlier) this.#resolveInstance = this.#change.earlier
      },
    })
    this.#actor = createActor(machine, { clock: actorClock(this.#clock) })
    this.#actor.subscribe((snapshot) => this.#follow(snapshot))
    this.#actor.start()
    if (options.onDidFocus) this.#subscriptions.push(options.onDidFocus(() => this.#focused()))
    this.onNotification('system/hibernate', () => this.#actor.send({ type: 'HIBERNATE' }))
    this.onNotification('system/initStatus', (status) => this.#initStatusEmitter.fire(status))
    this.onNotification('client/permissions', ({ isProtected, permissions }) => {
      if (!this.#joined) return
      this.#joined = { ...this.#joined, isProtected, permissions }
      this.#permissionsEmitter.fire(this.#joined)
    })
  }

  get state(): ConnectionState {
    return this.#state
  }

  get joined(): JoinResult | undefined {
    return this.#joined
  }

  hasFeature(feature: Feature): boolean {
    return this.#joined !== undefined && hasFeature(this.#joined.version, feature)
  }

  /** Whether the dev server is older than that version. */
  isOlderThan(version: string): boolean {
    return this.#joined !== undefined && isOlderVersion(this.#joined.version, version)
  }

  get instance(): Instance | undefined {
    return this.#instance
  }

  get clock(): Clock {
    return this.#clock
  }

  /** Resolves when joined. */
  connect(): Promise<void> {
    if (this.#state.kind === 'CONNECTED') return Promise.resolve()
    return this.#sendAndSettle({ type: 'CONNECT' })
  }

  reconnect(): Promise<void> {
    const { kind } = this.#state
    if (kind === 'RECONNECTING' || kind === 'CONNECTING') {
      return Promise.reject(new DevServerClientError('ALREADY_RECONNECTING'))
    }
    return this.#sendAndSettle({ type: 'RECONNECT' })
  }

  changeInstance(prepare: InstanceChange['prepare']): Promise<void> {
    if (this.#isDisposed) return Promise.reject(new DevServerClientError('CHANNEL_DISPOSED'))
    if (this.#state.kind !== 'CONNECTED' || this.#change) {
      const state = this.#change ? 'CHANGING' : this.#state.kind
      return Promise.reject(new DevServerClientError('CAN_NOT_CHANGE_INSTANCE', { state }))
    }
    return new Promise((resolve, reject) => {
      this.#change = { prepare, from: this.#instance?.id, earlier: undefined, held: [], settle: { resolve, reject } }
      this.#actor.send({ type: 'CHANGE_INSTANCE' })
    })
  }

  request<M extends MethodName>(method: M, params: ParamsInput<M>, options?: RequestOptions<M>): Promise<Result<M>> {
    if (this.#isDisposed) return Promise.reject(new DevServerClientError('CHANNEL_DISPOSED'))
    const { kind } = this.#state
    if (this.#change) {
      const fate = duringInstanceChange(method, params, this.#instance?.workspacePath ?? '/')
      if (fate === 'drop') return Promise.reject(new DevServerClientError('INSTANCE_CHANGE_REQUIRED'))
      if (fate === 'hold') return this.#hold(this.#change.held, method, params, options)
    }
    if (kind === 'CONNECTED' && this.#session) return this.#session.request(method, params, options)
    if (!isQueued(method, params) || this.#queue.length >= MAX_QUEUED) {
      return Promise.reject(new DevServerClientError('NOT_ABLE_TO_SEND', { state: kind }))
    }
    const queued = this.#hold(this.#queue, method, params, options)
    if (kind === 'HIBERNATED' && this.#isFocused) this.#actor.send({ type: 'WAKE' })
    return queued
  }

  onNotification<N extends NotificationName>(name: N, listener: (params: NotificationParams<N>) => void): Disposable {
    const known = this.#notifications.get(name) as Emitter<NotificationParams<N>> | undefined
    const emitter = known ?? new Emitter<NotificationParams<N>>()
    if (!known) this.#notifications.set(name, emitter as Emitter<never>)
    return emitter.event(listener)
  }

  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    for (const subscription of this.#subscriptions) subscription.dispose()
    const error = new DevServerClientError('CHANNEL_DISPOSED')
    this.#session?.dispose(() => error)
    this.#session = undefined
    this.#actor.send({ type: 'DISPOSE' })
    for (const request of this.#queue.splice(0)) request.reject(error)
    for (const waiting of this.#settling.splice(0)) waiting.reject(error)
  }

  #hold<M extends MethodName>(
    queue: QueuedRequest[],
    method: M,
    params: ParamsInput<M>,
    options: RequestOptions<M> | undefined,
  ): Promise<Result<M>> {
    return new Promise<Result<M>>((resolve, reject) => {
      queue.push({
        send: (session) => void session.request(method, params, options).then(resolve, reject),
        reject,
      })
    })
  }

  get #isFocused(): boolean {
    return this.#options.isFocused?.() ?? true
  }

  /** Resolves when the event has led to CONNECTED. */
  #sendAndSettle(event: { type: 'CONNECT' | 'RECONNECT' }): Promise<void> {
    if (this.#isDisposed) return Promise.reject(new DevServerClientError('CHANNEL_DISPOSED'))
    return new Promise((resolve, reject) => {
      this.#settling.push({ resolve, reject })
      this.#actor.send(event)
    })
  }

  #focused(): void {
    this.#lastFocusAt = this.#clock.now()
    if (this.#state.kind === 'CONNECTED') this.#session?.ping(timings.focusPong)
    else this.#actor.send({ type: 'FOCUS' })
  }

  async #open(signal: AbortSignal, reconnectToken: string | undefined): Promise<void> {
    const instance = await this.#resolveInstance()
    signal.throwIfAborted()
    const query = new URLSearchParams({ token: instance.token, ...(reconnectToken && { reconnectToken }) })
    const session = await Session.open(
      `${instance.url}?${query}`,
      {
        createSocket: this.#options.createSocket ?? ((url) => new WebSocket(url)),
        clock: this.#clock,
        nextId: () => this.#requestId++,
        isOnline: this.#options.isOnline ?? isBrowserOnline,
        onNotification: (method, params) => this.#notify(method, params),
        onLost: (loss) => this.#actor.send({ type: 'LOST', ...loss }),
      },
      signal,
    )
    this.#instance = instance
    this.#session = session
    // A try that ran out of time leaves nothing behind.
    signal.addEventListener('abort', () => this.#state.kind !== 'CONNECTED' && this.#drop(session))
  }

  async #join(asyncProgress: boolean, timeout: number): Promise<void> {
    if (!this.#session) throw new DevServerClientError('REQUIRES_OPEN_SOCKET')
    const joined = await this.#session.request(
      'client/join',
      {
        clientInfo: { protocolVersion: PROTOCOL_VERSION, appId: this.#options.appId },
        asyncProgress,
        subscriptions: {
          client: { status: true },
          file: { status: true, selection: true, ot: true },
          fs: { operations: true },
          git: { status: true, operations: true },
          port: { status: true },
          setup: { progress: true },
          shell: { status: true },
        },
      },
      {},
      timeout,
    )
    this.#session.joined()
    this.#joined = joined
  }

  #notify(method: string, params: unknown): void {
    if (!isNotificationName(method)) return
    const emitter = this.#notifications.get(method)
    if (!emitter) return
    let valid: NotificationParams<typeof method>
    try {
      valid = validateNotification(method, params)
    } catch (error) {
      this.#invalidEmitter.fire({ area: method.split('/')[0] ?? method, error: error as Error })
      return
    }
    emitter.fire(valid as never)
  }

  #follow(snapshot: SnapshotFrom<Machine>): void {
    const previous = this.#state
    const state = stateOf(snapshot)
    if (!state || isSame(previous, state)) return
    this.#state = state
    this.#measure(previous, state)
    if (state.kind !== 'CONNECTED' && this.#session) {
      this.#drop(this.#session)
    }
    this.#stateEmitter.fire(state)
    if (this.#state !== state) return
    if (state.kind === 'CONNECTED') {
      const { session, joined } = { session: this.#session, joined: this.#joined }
      if (!session || !joined) return
      const change = this.#change
      this.#change = undefined
      // Files come first on a new instance: what waited for it may save them.
      if (change) this.#joinEmitter.fire(joined)
      for (const request of this.#queue.splice(0)) request.send(session)
      for (const waiting of this.#settling.splice(0)) waiting.resolve()
      if (change) this.#settleChange(change, session, snapshot.context.changeError)
      else this.#joinEmitter.fire(joined)
    } else if (state.kind === 'DISCONNECTED' || state.kind === 'HIBERNATED') {
      const error = snapshot.context.error ?? new Error(state.kind === 'DISCONNECTED' ? state.reason : 'Hibernated')
      for (const waiting of this.#settling.splice(0)) waiting.reject(error)
      const change = this.#change
      this.#change = undefined
      if (change) this.#settleChange(change, undefined, snapshot.context.changeError ?? error)
    }
  }

  #settleChange(change: InstanceChange, session: Session | undefined, error: Error | undefined): void {
    for (const request of change.held) {
      if (session && !error) request.send(session)
      else request.reject(new DevServerClientError('INSTANCE_CHANGE_REQUIRED'))
    }
    const to = error ? undefined : this.#instance?.id
    this.#telemetryEmitter.fire({
      kind: 'instance-change',
      outcome: error ? 'failure' : 'success',
      from: change.from,
      to,
    })
    if (error) change.settle.reject(error)
    else change.settle.resolve()
  }

  #measure(previous: ConnectionState, state: ConnectionState): void {
    if (previous.kind === 'CONNECTED' && this.#session) this.#lastActivityAt = this.#session.lastHeardAt
    if (state.kind === 'DISCONNECTED') this.#telemetryEmitter.fire(disconnectTelemetry(state))
    if (previous.kind !== 'RECONNECTING' || state.kind === 'RECONNECTING') return
    this.#telemetryEmitter.fire(
      reconnectTelemetry({
        outcome: state.kind === 'CONNECTED' ? 'success' : 'failure',
        attempts: previous.attempt,
        disconnect: previous.disconnect,
        now: this.#clock.now(),
        lastActivityAt: this.#lastActivityAt,
        lastFocusAt: this.#isFocused ? this.#clock.now() : this.#lastFocusAt,
      }),
    )
  }

  #drop(session: Session): void {
    if (this.#session === session) this.#session = undefined
    const isReconnecting = this.#state.kind === 'RECONNECTING'
    session.dispose((method) =>
      isReconnecting
        ? new DevServerClientError('ATTEMPTING_RECONNECT')
        : new DevServerClientError('CONNECTION_LOST', { method }),
    )
  }
}

/** Programs outside of a browser have no such knowledge, and count as online. */
function isBrowserOnline(): boolean {
  const { navigator } = globalThis as { navigator?: { onLine?: boolean } }
  return navigator?.onLine !== false
}

function stateOf({ value, context }: SnapshotFrom<Machine>): ConnectionState | undefined {
  const { attempt, disconnect, connectedAt, hibernatedAt } = context
  const name = typeof value === 'string' ? value : Object.keys(value)[0]
  switch (name) {
    case 'idle':
      return { kind: 'IDLE' }
    case 'connecting':
      return { kind: 'CONNECTING', attempt }
    case 'connected':
      return { kind: 'CONNECTED', connectedAt }
    case 'changing':
      // Until the next instance is made, everything but changes goes on with the present one.
      if (typeof value === 'object' && 'changing' in value && value.changing === 'preparing') {
        return { kind: 'CONNECTED', connectedAt }
      }
      return { kind: 'RECONNECTING', attempt: Math.max(attempt, 1), disconnect }
    case 'reconnecting':
      return { kind: 'RECONNECTING', attempt: Math.max(attempt, 1), disconnect }
    case 'disconnected':
    case 'disposed':
      return { kind: 'DISCONNECTED', ...disconnect }
    case 'hibernated':
      return { kind: 'HIBERNATED', hibernatedAt }
    default:
      return undefined
  }
}

function isSame(a: ConnectionState, b: ConnectionState): boolean {
  if (a.kind !== b.kind) return false
  return !('attempt' in a && 'attempt' in b) || a.attempt === b.attempt
}

function actorClock(clock: Clock) {
  let next = 1
  const running = new Map<number, () => void>()
  return {
    setTimeout: (callback: (...parameters: unknown[]) => void, delay: number): number => {
      const id = next++
      running.set(
        id,
        clock.schedule(() => {
          running.delete(id)
          callback()
        }, delay),
      )
      return id
    },
    clearTimeout: (id: number): void => {
      running.get(id)?.()
      running.delete(id)
    },
  }
}
