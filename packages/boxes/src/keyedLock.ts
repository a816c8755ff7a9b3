import { deferred } from './deferred.ts'

/** Runs work one at a time for each key. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>()

  async run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const unique = [...new Set(keys)]
    const before = Promise.all(unique.map((key) => this.#tails.get(key)))
    const done = deferred<void>()
    // All keys are taken in the same turn, so two callers can not each hold what the other waits for.
    for (const key of unique) this.#tails.set(key, done.promise)
    try {
      await before
      return await work()
    } finally {
      for (const key of unique) if (this.#tails.get(key) === done.promise) this.#tails.delete(key)
      done.resolve()
    }
  }
}
