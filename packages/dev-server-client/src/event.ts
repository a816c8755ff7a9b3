export interface Disposable {
  dispose(): void
}

/** Subscribes a listener. Disposing the answer unsubscribes it; disposing twice is allowed. */
export type Event<T> = (listener: (value: T) => void) => Disposable

/**
 * The source of an event. Listeners are called in the order they subscribed; one that throws does not keep the others from
 * being called, its error is reported afterwards as an uncaught error of its own.
 */
export class Emitter<T> {
  /** Replaced, never changed: a list that is being called stays as it is. */
  #listeners: readonly { call(value: T): void }[] = []
  readonly #report: (error: unknown) => void

  constructor(report: (error: unknown) => void = reportUncaught) {
    this.#report = report
  }

  readonly event: Event<T> = (listener) => {
    const entry = { call: listener }
    this.#listeners = [...this.#listeners, entry]
    return { dispose: () => void (this.#listeners = this.#listeners.filter((each) => each !== entry)) }
  }

  fire(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener.call(value)
      } catch (error) {
        this.#report(error)
      }
    }
  }

  dispose(): void {
    this.#listeners = []
  }
}

function reportUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
