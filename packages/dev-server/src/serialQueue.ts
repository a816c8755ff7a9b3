/** Runs tasks one after the other, in the order they were handed in. A failed task does not stop the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T> | T): Promise<T> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Resolves when everything handed in so far is done. */
  async idle(): Promise<void> {
    await this.#last
  }
}
