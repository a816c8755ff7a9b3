import type { Metrics } from '@boxyard/protocol'
import type { SystemArea } from './api.ts'
import { isConnectionFailure } from './areaSync.ts'
import type { AreaContext } from './areaSync.ts'
import { Emitter } from './event.ts'
import type { Event } from './event.ts'
import { timings } from './timings.ts'

/** The machine: its load, and whether it may go to sleep. */
export class System implements SystemArea {
  readonly #context: AreaContext
  readonly #metricsEmitter = new Emitter<Metrics>()
  #listeners = 0
  #cancelPoll: (() => void) | undefined

  constructor(context: AreaContext) {
    this.#context = context
    context.connection.onNotification('system/metrics', (metrics) => this.#metricsEmitter.fire(metrics))
  }

  readonly onDidMetrics: Event<Metrics> = (listener) => {
    const subscription = this.#metricsEmitter.event(listener)
    let isSubscribed = true
    this.#listeners += 1
    if (!this.#cancelPoll) this.#poll()
    return {
      dispose: () => {
        if (!isSubscribed) return
        isSubscribed = false
        subscription.dispose()
        this.#listeners -= 1
        if (this.#listeners === 0) this.dispose()
      },
    }
  }

  metrics(): Promise<Metrics> {
    return this.#context.connection.request('system/metrics', {})
  }

  async update(): Promise<void> {
    await this.#context.connection.request('system/update', {})
  }

  async hibernate(): Promise<void> {
    const { connection } = this.#context
    try {
      await connection.request('system/hibernate', {})
    } catch (error) {
      // The announcement to everybody may overtake the answer and take the connection with it.
      if (connection.state.kind !== 'HIBERNATED') throw error
    }
  }

  /** Ends the polling. */
  dispose(): void {
    this.#cancelPoll?.()
    this.#cancelPoll = undefined
  }

  #poll(): void {
    this.#cancelPoll = this.#context.connection.clock.schedule(() => this.#poll(), timings.metrics)
    if (this.#context.connection.state.kind !== 'CONNECTED') return
    this.metrics().then(
      (metrics) => this.#metricsEmitter.fire(metrics),
      (error: Error) => {
        if (!isConnectionFailure(error)) this.#context.reportFailure({ area: 'system', error })
      },
    )
  }
}
