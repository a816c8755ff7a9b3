import type { Clock } from '../clock.ts'

/** A clock that stands still until it is advanced. */
export class FakeClock implements Clock {
  #now = 1_000_000
  #next = 1
  readonly #timers = new Map<number, { at: number; callback: () => void }>()

  now(): number {
    return this.#now
  }

  schedule(callback: () => void, delay: number): () => void {
    const id = this.#next++
    this.#timers.set(id, { at: this.#now + delay, callback })
    return () => this.#timers.delete(id)
  }

  /** Lets time pass; after each timer everything that it started has run. */
  async advance(duration: number): Promise<void> {
    await settled()
    const end = this.#now + duration
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= end).toSorted((a, b) => a[1].at - b[1].at)[0]
      if (!due) break
      const [id, { at, callback }] = due
      this.#timers.delete(id)
      this.#now = Math.max(this.#now, at)
      callback()
      await settled()
    }
    this.#now = end
    await settled()
  }
}

/** Resolves when no promise job is left to run, in Node and in a browser. */
export function settled(): Promise<void> {
  return new Promise((resolve) => (typeof setImmediate === 'function' ? setImmediate(resolve) : setTimeout(resolve)))
}
