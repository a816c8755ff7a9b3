import { Allowance } from '../common/allowance.ts'
import { fromRunner } from '../common/fromRunner.ts'
import type { FromRunner } from '../common/messages.ts'

/** What a page may say: so much at once, and then so much in a second. What it has compiled was asked of it. */
const ALLOWED: Readonly<Record<Exclude<FromRunner['type'], 'compiled'>, readonly [most: number, perSecond: number]>> = {
  start: [1, 0],
  console: [500, 100],
  problem: [50, 10],
  rendered: [200, 50],
  address: [200, 50],
  open: [5, 1],
}

export interface PageEdgeOptions {
  /** Whether the project has this file. */
  hasFile(path: string): boolean
  /** Told once of each reason for which something was left out. */
  onLeftOut(words: string): void
  now?: () => number
}

/** Stands between one page of a preview, where code of strangers runs, and everything else: hands on what has the agreed form, and not too much of it. */
export class PageEdge {
  readonly #options: PageEdgeOptions
  readonly #allowed: ReadonlyMap<string, Allowance>
  readonly #told = new Set<string>()

  constructor(options: PageEdgeOptions) {
    this.#options = options
    this.#allowed = new Map(
      Object.entries(ALLOWED).map(([type, [most, perSecond]]) => [type, new Allowance(most, perSecond, options.now)]),
    )
  }

  take(data: unknown): FromRunner | undefined {
    // Before it is looked into, so that a flood costs no more than that.
    const type = typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined
    if (typeof type === 'string' && this.#allowed.get(type)?.take() === false)
      return this.#leaveOut('The page of the preview says more than can be shown. What is beyond that is left out.')
    const message = fromRunner(data)
    if (!message)
      return this.#leaveOut('The page of the preview said what is too large or has no agreed form. It is left out.')
    if (message.type === 'open' && !this.#options.hasFile(message.file))
      return this.#leaveOut('The page of the preview named a file that is not part of this sandbox. It is not opened.')
    return message
  }

  #leaveOut(words: string): undefined {
    if (this.#told.has(words)) return
    this.#told.add(words)
    this.#options.onLeftOut(words)
  }
}
