import { FRAME_MS } from './OutputJoiner.ts'
import type { Timers } from './Timers.ts'

/** Whoever typed in this time is typing. */
export const TYPING_MS = 1000
/** What all terminals together may write in the time of a frame meanwhile, in UTF-16 units: 2 MB a second, more than anybody reads. */
export const PACE_LENGTH = 32 * 1024

/** Stands for every text, where shells stand for themselves. */
const TEXT = Symbol('text')

/**
 * Lets typing go before the output of terminals. A flood takes the processor from everybody: from the dev server that passes it on, from
 * its readers, and from whoever works beside them. So while somebody types, all other terminals together are read at a pace.
 */
export class OutputPace {
  readonly #timers: Timers
  readonly #typed = new Map<string | typeof TEXT, number>()
  readonly #waiting = new Set<() => void>()
  #begin = -Infinity
  #length = 0

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** Somebody typed into this shell, or into a text. */
  typed(shellId: string | typeof TEXT = TEXT): void {
    this.#typed.set(shellId, this.#timers.now())
  }

  /** Counts output of a shell. True when it has to wait until `resume` is called. A shell does not wait for what is typed into it. */
  take(shellId: string, length: number, resume: () => void): boolean {
    const now = this.#timers.now()
    if (!this.#isTyping(shellId, now)) return false
    if (now >= this.#begin + FRAME_MS) {
      this.#begin = now
      this.#length = 0
    }
    this.#length += length
    if (this.#length < PACE_LENGTH) return false
    if (this.#waiting.size === 0) this.#timers.after(this.#begin + FRAME_MS - now, () => this.#goOn())
    this.#waiting.add(resume)
    return true
  }

  #isTyping(exceptInto: string, now: number): boolean {
    for (const [into, at] of this.#typed) {
      if (now - at >= TYPING_MS) this.#typed.delete(into)
      else if (into !== exceptInto) return true
    }
    return false
  }

  #goOn(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resume of waiting) resume()
  }
}
