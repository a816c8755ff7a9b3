import type { WebSocket } from 'ws'

/** Below this many waiting bytes a connection counts as drained. */
const LOW_WATER = 256 * 1024
/** Above this many waiting bytes a reader has `STALL_MS` to catch up. */
const HIGH_WATER = 16 * 1024 * 1024
const STALL_MS = 30_000
/** A reader that is this far behind is closed at once: two of the largest frames. */
const LIMIT = 128 * 1024 * 1024
/**
 * Public clients handle all frames of one TCP segment in one tick, so a notification right behind a response is seen before the
 * code that awaits the response could listen for it.
 */
const GAP_MS = 5

interface Frame {
  data: Uint8Array
  /** A notification keeps a distance from the response before it. */
  notification: boolean
  /** Whether the next notification keeps its distance from this frame. */
  opensGap: boolean
}

/** Sends the frames of one socket in order, keeps the gap between responses and notifications, and bounds what waits. */
export class FrameWriter {
  readonly #socket: WebSocket
  readonly #queue: Frame[] = []
  #queuedBytes = 0
  #gapUntil = 0
  #gapTimer: NodeJS.Timeout | undefined
  #stallTimer: NodeJS.Timeout | undefined
  #waiters: (() => void)[] = []
  #ended = false

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  get bufferedBytes(): number {
    return this.#queuedBytes + this.#socket.bufferedAmount
  }

  /** Resolves when little waits, or when the socket has ended. */
  async drained(): Promise<void> {
    if (this.#ended || this.bufferedBytes <= LOW_WATER) return
    await new Promise<void>((resolve) => this.#waiters.push(resolve))
  }

  respond(data: Uint8Array, opensGap: boolean): void {
    this.#enqueue({ data, notification: false, opensGap })
  }

  notify(data: Uint8Array): void {
    this.#enqueue({ data, notification: true, opensGap: false })
  }

  /** Answers a heartbeat. It does not wait behind other frames. */
  beat(): void {
    if (!this.#ended) this.#socket.send('')
  }

  /** Sends what still waits for its distance: the socket is about to be closed, and last words must not be lost. */
  hurry(): void {
    clearTimeout(this.#gapTimer)
    this.#gapTimer = undefined
    this.#gapUntil = 0
    if (!this.#ended) this.#flush()
  }

  /** Called when the socket has ended: nothing is sent anymore and nobody waits. */
  end(): void {
    this.#ended = true
    this.#queue.length = 0
    this.#queuedBytes = 0
    clearTimeout(this.#gapTimer)
    clearTimeout(this.#stallTimer)
    this.#wake()
  }

  #enqueue(frame: Frame): void {
    if (this.#ended) return
    this.#queue.push(frame)
    this.#queuedBytes += frame.data.byteLength
    this.#flush()
    this.#watchReader()
  }

  #flush(): void {
    if (this.#gapTimer !== undefined) return
    for (let frame = this.#queue[0]; frame; frame = this.#queue[0]) {
      const wait = frame.notification ? this.#gapUntil - performance.now() : 0
      if (wait > 0) {
        this.#gapTimer = setTimeout(() => {
          this.#gapTimer = undefined
          this.#flush()
        }, Math.ceil(wait))
        return
      }
      this.#queue.shift()
      this.#queuedBytes -= frame.data.byteLength
      if (frame.opensGap) this.#gapUntil = performance.now() + GAP_MS
      this.#socket.send(frame.data, { binary: true }, () => this.#sent())
    }
  }

  #sent(): void {
    if (this.bufferedBytes <= HIGH_WATER) {
      clearTimeout(this.#stallTimer)
      this.#stallTimer = undefined
    }
    if (this.bufferedBytes <= LOW_WATER) this.#wake()
  }

  #watchReader(): void {
    if (this.bufferedBytes > LIMIT) this.#socket.terminate()
    else if (this.bufferedBytes > HIGH_WATER) {
      this.#stallTimer ??= setTimeout(() => this.#socket.terminate(), STALL_MS)
    }
  }

  #wake(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const wake of waiters) wake()
  }
}
