import { setImmediate as nextTurn } from 'node:timers/promises'
import { PackerError } from '../errors.ts'

/** What all packages of a tree name, each time that it is named: real projects name three or four times what they have. */
const MAX_DEPENDENCIES = 30_000
/** Of versions with ranges: a real project has some ten thousand. */
const MAX_COMPARISONS = 5_000_000
/** What is known already is awaited without ever leaving the task, so others get their turn after so many dependencies or comparisons. */
const DEPENDENCIES_IN_TURN = 100
const COMPARISONS_IN_TURN = 50_000

/** What one choice of versions has cost so far. It ends with TOO_LARGE at what no project needs, and lets everybody else go on meanwhile. */
export class Effort {
  #dependencies = 0
  #comparisons = 0
  #since = 0

  /** Counts what packages name, before it is looked at. */
  async depend(more: number): Promise<void> {
    this.#dependencies += more
    if (this.#dependencies > MAX_DEPENDENCIES)
      throw new PackerError('TOO_LARGE', `packages that name more than ${MAX_DEPENDENCIES} dependencies`)
    await this.pause(more)
  }

  /** Counts comparisons of versions, before they are made. */
  compare(more: number): void {
    this.#comparisons += more
    this.#since += (more * DEPENDENCIES_IN_TURN) / COMPARISONS_IN_TURN
    if (this.#comparisons > MAX_COMPARISONS)
      throw new PackerError('TOO_LARGE', `ranges that take more than ${MAX_COMPARISONS} comparisons`)
  }

  async pause(steps = 1): Promise<void> {
    this.#since += steps
    if (this.#since < DEPENDENCIES_IN_TURN) return
    this.#since = 0
    await nextTurn()
  }
}
