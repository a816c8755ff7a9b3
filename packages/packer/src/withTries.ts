import { isRegistryAway, isTooSlow } from './errors.ts'

/** Time between two tries, in milliseconds. */
export const BETWEEN_TRIES_MS = 3000

export type Wait = (milliseconds: number) => Promise<void>

/** Tries again, with time in between, as long as it is the registry that does not answer; not what came for minutes without an end. */
export async function withTries<T>(tries: number, work: () => Promise<T>, wait: Wait): Promise<T> {
  for (let left = tries; ; left -= 1) {
    try {
      return await work()
    } catch (error) {
      if (left <= 1 || !isRegistryAway(error) || isTooSlow(error)) throw error
      await wait(BETWEEN_TRIES_MS)
    }
  }
}
