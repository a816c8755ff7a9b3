/** What keeps a process alive: timers, servers, requests, children. When there is nothing left it ends. */
export class Handles {
  #count = 0
  #onIdle: () => void = () => undefined
  #isWaiting = false
  readonly #later: (work: () => void) => void

  /** `later`: runs a work after everything that is ready to run now. */
  constructor(later: (work: () => void) => void) {
    this.#later = later
  }

  get isIdle(): boolean {
    return this.#count === 0
  }

  onIdle(listener: () => void): void {
    this.#onIdle = listener
    this.#look()
  }

  /** Holds the process until what is returned is called; more calls do nothing. */
  hold(): () => void {
    this.#count += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#count -= 1
      this.#look()
    }
  }

  /** Holds it as long as a work is under way. */
  async during<T>(work: Promise<T>): Promise<T> {
    const release = this.hold()
    try {
      return await work
    } finally {
      release()
    }
  }

  #look(): void {
    if (this.#count > 0 || this.#isWaiting) return
    this.#isWaiting = true
    this.#later(() => {
      this.#isWaiting = false
      if (this.#count === 0) this.#onIdle()
    })
  }
}
