import type { Clock } from './clock.ts'
import { timings } from './timings.ts'

export interface HeartbeatOptions {
  clock: Clock
  sendPing(): void
  /** While true, silence is not taken for a loss: a request under way has its own time-out. */
  isBusy(): boolean
  onSilence(): void
}

/** Sends a ping when nothing was heard for a while and reports when nothing is heard after it. */
export class Heartbeat {
  readonly #options: HeartbeatOptions
  #pongTimeout: number = timings.pongBeforeJoin
  #lastHeard: number
  #cancelCheck: () => void = () => {}
  #cancelWait: (() => void) | undefined

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#lastHeard = options.clock.now()
    this.#scheduleCheck()
  }

  get lastHeardAt(): number {
    return this.#lastHeard
  }

  /** From the join on, silence is noticed sooner. */
  joined(): void {
    this.#pongTimeout = timings.pongAfterJoin
    this.#cancelCheck()
    this.#scheduleCheck()
  }

  /** A frame arrived. */
  heard(): void {
    this.#lastHeard = this.#options.clock.now()
    this.#cancelWait?.()
    this.#cancelWait = undefined
  }

  /** Sends a ping now and waits `wait` ms for any frame. */
  ping(wait: number): void {
    this.#cancelWait?.()
    this.#options.sendPing()
    this.#cancelWait = this.#options.clock.schedule(() => {
      this.#cancelWait = undefined
      if (this.#options.isBusy()) this.#lastHeard = this.#options.clock.now()
      else this.#options.onSilence()
    }, wait)
  }

  stop(): void {
    this.#cancelCheck()
    this.#cancelWait?.()
    this.#cancelWait = undefined
  }

  #scheduleCheck(): void {
    const interval = this.#pongTimeout + timings.pingMargin
    const quiet = this.#options.clock.now() - this.#lastHeard
    this.#cancelCheck = this.#options.clock.schedule(
      () => {
        const silent = this.#options.clock.now() - this.#lastHeard >= interval
        if (silent && !this.#cancelWait) this.ping(this.#pongTimeout)
        this.#scheduleCheck()
      },
      quiet >= interval ? interval : interval - quiet,
    )
  }
}
