import type { Clock } from '../service/clock.ts'

interface Timer {
  at: number
  work: () => void
}

/** Time that passes only when a test says so. */
export class FakeClock implements Clock {
  #now = Date.UTC(2030, 0, 1)
  readonly #timers = new Set<Timer>()

  now(): number {
    return this.#now
  }

  setTimeout(work: () => void, ms: number): unknown {
    const timer = { at: this.#now + ms, work }
    this.#timers.add(timer)
    return timer
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as Timer)
  }

  /** Lets time pass; timers fire in order, also those that others set. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
      if (next === undefined) break
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.work()
    }
    this.#now = end
  }
}
