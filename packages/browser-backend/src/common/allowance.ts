/** How much is taken from somebody who may send without an end: so much at once, and then so much in a second. */
export class Allowance {
  readonly #most: number
  readonly #perSecond: number
  readonly #now: () => number
  #left: number
  #at: number

  constructor(most: number, perSecond: number, now: () => number = () => performance.now()) {
    this.#most = most
    this.#perSecond = perSecond
    this.#now = now
    this.#left = most
    this.#at = now()
  }

  /** Whether one more is taken. */
  take(): boolean {
    const at = this.#now()
    this.#left = Math.min(this.#most, this.#left + ((at - this.#at) / 1000) * this.#perSecond)
    this.#at = at
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
