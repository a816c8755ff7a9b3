/** Runs what has the same key one after the other, in the order it came. */
export class KeyedQueue {
  readonly #tails = new Map<number, Promise<unknown>>()

  async run<T>(key: number, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    const tail = mine.catch(() => undefined)
    this.#tails.set(key, tail)
    try {
      return await mine
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key)
    }
  }
}
