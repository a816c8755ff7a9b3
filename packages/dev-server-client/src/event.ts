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
  readonly #listeners = new Set<{ call(value: T): void }>()
  readonly #report: (error: unknown) => void

  constructor(report: (error: unknown) => void = reportUncaught) {
    this.#report = report
  }

  readonly event: Event<T> = (listener) => {
    const entry = { call: listener }
    this.#listeners.add(entry)
    return { dispose: () => this.#listeners.delete(entry) }
  }

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener.call(value)
      } catch (error) {
        this.#report(error)
      }
    }
  }

  dispose(): void {
    this.#listeners.clear()
  }
}

function reportUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
