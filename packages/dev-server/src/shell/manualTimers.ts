import type { Timers } from './Timers.ts'

/** Time that passes only when a test says so. */
export class ManualTimers implements Timers {
  #now = 0
  #due: { at: number; run: () => void }[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): () => void {
    const entry = { at: this.#now + ms, run }
    this.#due.push(entry)
    return () => {
      this.#due = this.#due.filter((other) => other !== entry)
    }
  }

  /** How long the next timer has to wait, or undefined when there is none. */
  get next(): number | undefined {
    return this.#due.length === 0 ? undefined : Math.min(...this.#due.map((entry) => entry.at)) - this.#now
  }

  pass(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const entry = this.#due.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (!entry) break
      this.#due = this.#due.filter((other) => other !== entry)
      this.#now = Math.max(this.#now, entry.at)
      entry.run()
    }
    this.#now = end
  }
}
