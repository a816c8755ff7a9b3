import { classify, decode, encode, ProtocolError } from '@boxyard/protocol'
import type { MethodName, ParamsInput, Result } from '@boxyard/protocol'
import type { RequestOptions } from './api.ts'
import type { Clock } from './clock.ts'
import { DevServerClientError } from './errors.ts'
import { Heartbeat } from './heartbeat.ts'
import { timeoutOf } from './requestPolicy.ts'
import { validateResult } from './wireValidation.ts'
import { SOCKET_OPEN } from './webSocketLike.ts'
import type { WebSocketLike } from './webSocketLike.ts'

export interface Loss {
  reason: string
  code: number | undefined
  wasClean: boolean
}

export interface SessionOptions {
  createSocket(url: string): WebSocketLike
  clock: Clock
  /** Request ids count on from socket to socket. */
  nextId(): number
  /** Whether the browser has a network at all. */
  isOnline(): boolean
  onNotification(method: string, params: unknown): void
  /** Called once, when the socket ends other than by dispose(). */
  onLost(loss: Loss): void
}

interface Pending {
  method: MethodName
  onResult(result: unknown): void
  reject(error: Error): void
}

/** What may take very long must not keep a dead socket from being noticed. */
const takesLong: ReadonlySet<MethodName> = new Set(['client/join', 'language/lspRequest'])

/** One open socket: frames in and out, answers matched to requests by id, heartbeat. */
export class Session {
  readonly #socket: WebSocketLike
  readonly #options: SessionOptions
  readonly #pending = new Map<number, Pending>()
  readonly #heartbeat: Heartbeat
  #isEnded = false

  private constructor(socket: WebSocketLike, options: SessionOptions) {
    this.#socket = socket
    this.#options = options
    this.#heartbeat = new Heartbeat({
      clock: options.clock,
      sendPing: () => socket.readyState === SOCKET_OPEN && socket.send(''),
      isBusy: () => [...this.#pending.values()].some(({ method }) => !takesLong.has(method)),
      onSilence: () => {
        const { message } = new DevServerClientError('PONG_NOT_DETECTED')
        this.#lose({ reason: message, code: undefined, wasClean: false })
      },
    })
    socket.addEventListener('message', (event) => this.#receive(event.data))
    socket.addEventListener('close', ({ code, reason, wasClean }) =>
      this.#lose({ reason: reason || closeReason(code, options), code, wasClean }),
    )
  }

  /**
   * Opens a socket. Aborting closes it again.
   * @throws DevServerClientError CLOSED_BEFORE_OPENED
   */
  static open(url: string, options: SessionOptions, signal: AbortSignal): Promise<Session> {
    return new Promise((resolve, reject) => {
      const socket = options.createSocket(url)
      socket.binaryType = 'arraybuffer'
      let detail: string | undefined
      const fail = (reason: string) => {
        signal.removeEventListener('abort', abort)
        reject(new DevServerClientError('CLOSED_BEFORE_OPENED', {}, { cause: new Error(reason) }))
      }
      const abort = () => {
        socket.close()
        fail('The try was given up')
      }
      socket.addEventListener('open', () => {
        signal.removeEventListener('abort', abort)
        if (!signal.aborted) resolve(new Session(socket, options))
      })
      // A close event follows every error; the listener stays, because the `ws` package throws errors nobody listens to.
      socket.addEventListener('error', (event) => {
        if ('message' in event && typeof event.message === 'string') detail = event.message
      })
      socket.addEventListener('close', ({ code, reason }) => fail(detail ?? (reason || closeReason(code, options))))
      signal.addEventListener('abort', abort)
      if (signal.aborted) abort()
    })
  }

  /** When the last frame arrived, or the socket was opened. */
  get lastHeardAt(): number {
    return this.#heartbeat.lastHeardAt
  }

  /** Shortens the heartbeat. */
  joined(): void {
    this.#heartbeat.joined()
  }

  ping(wait: number): void {
    this.#heartbeat.ping(wait)
  }

  request<M extends MethodName>(
    method: M,
    params: ParamsInput<M>,
    { onResult }: RequestOptions<M> = {},
    timeout: number = timeoutOf(method),
  ): Promise<Result<M>> {
    return new Promise<Result<M>>((resolve, reject) => {
      if (this.#isEnded || this.#socket.readyState !== SOCKET_OPEN) {
        reject(new DevServerClientError('COULD_NOT_SEND', { state: socketState(this.#socket.readyState) }))
        return
      }
      const id = this.#options.nextId()
      const frame = encode({ id, method, params }) as Uint8Array<ArrayBuffer>
      const cancelTimeout = this.#options.clock.schedule(() => {
        this.#pending.delete(id)
        reject(new DevServerClientError('REQUEST_TIMED_OUT', { method }))
      }, timeout)
      this.#pending.set(id, {
        method,
        onResult: (value) => {
          cancelTimeout()
          try {
            const result = validateResult(method, value)
            onResult?.(result)
            resolve(result)
          } catch (error) {
            reject(error)
          }
        },
        reject: (error) => {
          cancelTimeout()
          reject(error)
        },
      })
      this.#socket.send(frame)
    })
  }

  /** Closes the socket without reporting a loss. Every unanswered request is rejected with what `reason` makes of its method. */
  dispose(reason: (method: MethodName) => Error): void {
    if (!this.#isEnded) this.#end()
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const request of pending) request.reject(reason(request.method))
  }

  #end(): void {
    this.#isEnded = true
    this.#heartbeat.stop()
    this.#socket.close()
  }

  #lose(loss: Loss): void {
    if (this.#isEnded) return
    this.#end()
    this.#options.onLost(loss)
  }

  #receive(data: unknown): void {
    if (this.#isEnded) return
    this.#heartbeat.heard()
    if (typeof data === 'string') return
    let classified: ReturnType<typeof classify>
    try {
      classified = classify(decode(new Uint8Array(data as ArrayBuffer)))
    } catch {
      // Frames after one that can't be read can't be trusted to be complete: the whole state is fetched again.
      const { message } = new DevServerClientError('UNIDENTIFIED_MESSAGE')
      this.#lose({ reason: message, code: undefined, wasClean: false })
      return
    }
    const { kind, message } = classified
    if (kind === 'notification') {
      this.#options.onNotification(message.method, message.params)
      return
    }
    const request = this.#pending.get(message.id)
    if (!request) return
    this.#pending.delete(message.id)
    if (kind === 'result') request.onResult(message.result)
    else request.reject(new ProtocolError(message.error.code, message.error.message, message.error.data))
  }
}

function closeReason(code: number, { isOnline }: SessionOptions): string {
  return isOnline() ? `WebSocket close with status code ${code}` : 'Browser is offline'
}

function socketState(readyState: number): string {
  return ['CONNECTING', 'OPEN', 'CLOSING', 'CLOSED'][readyState] ?? 'UNKNOWN'
}
