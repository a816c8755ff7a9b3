import type { Timers } from './Timers.ts'

export const FRAME_MS = 16
/** UTF-16 units. */
export const FRAME_LENGTH = 64 * 1024

/**
 * Joins the many small chunks of a pty into few frames: one at once after a quiet moment, so that an echo is not delayed, then
 * at most one every 16 ms or 64 K units. A frame never ends between the halves of a surrogate pair.
 */
export class OutputJoiner {
  readonly #timers: Timers
  readonly #deliver: (text: string) => void
  #parts: string[] = []
  #length = 0
  #held = false
  #lastFlush = -Infinity
  #cancel: (() => void) | undefined

  constructor(timers: Timers, deliver: (text: string) => void) {
    this.#timers = timers
    this.#deliver = deliver
  }

  /** Units that wait to be delivered. */
  get length(): number {
    return this.#length
  }

  push(text: string): void {
    if (text === '') return
    this.#parts.push(text)
    this.#length += text.length
    if (this.#held) return
    if (this.#length >= FRAME_LENGTH) {
      this.flush()
    } else if (!this.#cancel) {
      const wait = Math.max(0, this.#lastFlush + FRAME_MS - this.#timers.now())
      this.#cancel = this.#timers.after(wait, () => this.flush())
    }
  }

  /** Keeps everything back until release(). */
  hold(): void {
    this.#held = true
  }

  release(): void {
    this.#held = false
    this.flush()
  }

  /** Delivers what waits, unless it is held. */
  flush(): void {
    if (this.#held) return
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#length === 0) return
    const text = this.#parts.join('')
    this.#parts = []
    this.#length = 0
    this.#lastFlush = this.#timers.now()
    for (let start = 0; start < text.length;) {
      const end = cutBefore(text, start + FRAME_LENGTH)
      this.#deliver(text.slice(start, end))
      start = end
    }
  }

  /** Forgets what waits and stops the timer. */
  clear(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#parts = []
    this.#length = 0
  }
}

/** The last place at or before `index` that does not split a surrogate pair. */
export function cutBefore(text: string, index: number): number {
  if (index >= text.length) return text.length
  const unit = text.charCodeAt(index)
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index
}
