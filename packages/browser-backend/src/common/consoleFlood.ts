import { Allowance } from './allowance.ts'

/** Said once in place of the lines that are left out. */
export const TOO_MUCH = 'The page says more than can be shown. The console of the browser has all of it.'

/** A page may say more than anybody can read, and faster than it could be shown: most of that need not be sent. */
export class ConsoleFlood {
  readonly #allowance: Allowance
  #isTold = false

  constructor(now?: () => number) {
    // A little less than who listens takes.
    this.#allowance = new Allowance(400, 80, now)
  }

  /** What becomes of one more line. */
  next(): 'said' | 'told' | 'left out' {
    if (this.#allowance.take()) return 'said'
    if (this.#isTold) return 'left out'
    this.#isTold = true
    return 'told'
  }
}
