import { Allowance } from './allowance.ts'
import type { ConsoleLevel } from './agentMessages.ts'

/** How many lines are said at once, and how many of a second from then on: a little less than who listens takes. */
const AT_ONCE = 400
const PER_SECOND = 80
const SECOND_MS = 1000

export type LinesOfLevels = Readonly<Record<ConsoleLevel, number>>

export interface ConsoleFloodOptions<Line> {
  say(line: Line): void
  /** Stands between what was said before and what is said next. */
  leaveOut(lines: LinesOfLevels): void
  /** Whether who listens takes more for now. */
  hasRoom?(): boolean
  now?(): number
  /** Runs it once, a second later. */
  later?(run: () => void): void
}

const noLines: LinesOfLevels = { debug: 0, log: 0, info: 0, warn: 0, error: 0 }

/**
 * A page may say more than anybody can read, and faster than it could be shown. Then its first lines are said, and of each second that
 * follows the newest ones, behind the number of those that are left out.
 */
export class ConsoleFlood<Line> {
  readonly #options: ConsoleFloodOptions<Line>
  readonly #allowance: Allowance
  readonly #later: (run: () => void) => void
  #newest: { level: ConsoleLevel; line: Line }[] = []
  #leftOut: Record<ConsoleLevel, number> = { ...noLines }

  constructor(options: ConsoleFloodOptions<Line>) {
    this.#options = options
    this.#allowance = new Allowance(AT_ONCE, PER_SECOND, options.now)
    // The timers of before the page has put others in their place.
    const { setTimeout } = globalThis
    this.#later = options.later ?? ((run) => void setTimeout(run, SECOND_MS))
  }

  /** Takes in one more line. `describe` is told to be brief about one that may be left out, since a flood has many. */
  take(level: ConsoleLevel, describe: (isBrief: boolean) => Line): void {
    if (this.#newest.length === 0 && this.#hasRoom() && this.#allowance.take())
      return this.#options.say(describe(false))
    if (this.#newest.length === 0) this.#later(() => this.#sayNewest())
    this.#newest.push({ level, line: describe(true) })
    const over = this.#newest.length > PER_SECOND ? this.#newest.shift() : undefined
    if (over) this.#leftOut[over.level] += 1
  }

  /** What waits to be said is not worth saying any more. */
  forget(): void {
    this.#newest.length = 0
    this.#leftOut = { ...noLines }
  }

  #sayNewest(): void {
    if (this.#newest.length === 0) return
    if (!this.#hasRoom()) return this.#later(() => this.#sayNewest())
    if (Object.values(this.#leftOut).some((lines) => lines > 0)) this.#options.leaveOut(this.#leftOut)
    const lines = this.#newest
    this.#newest = []
    this.#leftOut = { ...noLines }
    for (const { line } of lines) {
      this.#allowance.take()
      this.#options.say(line)
    }
  }

  #hasRoom(): boolean {
    return this.#options.hasRoom?.() ?? true
  }
}
