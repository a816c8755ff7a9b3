import { heard, nothingSaid, type Heard, type PageState } from './pageState.ts'

/** Messages that wait for the next frame of the screen. */
const MOST_WAITING = 200

/** The state of one page as an external store. What is said between two frames of the screen is shown at once. */
export class PageStore {
  readonly #listeners = new Set<() => void>()
  readonly #schedule: (run: () => void) => void
  #state = nothingSaid
  #waiting: Heard[] = []
  #isScheduled = false

  constructor(schedule: (run: () => void) => void = (run) => void requestAnimationFrame(run)) {
    this.#schedule = schedule
  }

  readonly getSnapshot = (): PageState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly hear = (message: Heard): void => {
    // What is known of a page has an end, and what it says has none: nobody may look for long at a page that is not shown.
    if (this.#waiting.length >= MOST_WAITING) this.#fold()
    this.#waiting.push(message)
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#schedule(() => this.#takeIn())
  }

  readonly clear = (): void => this.hear({ type: 'clear' })
  readonly dismissProblem = (): void => this.hear({ type: 'solved' })

  #fold(): void {
    for (const message of this.#waiting.splice(0)) this.#state = heard(this.#state, message)
  }

  #takeIn(): void {
    this.#isScheduled = false
    this.#fold()
    for (const listener of this.#listeners) listener()
  }
}
