/** Time as the client sees it. Milliseconds throughout. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls `callback` once after `delay` milliseconds, unless the returned function is called first. */
  schedule(callback: () => void, delay: number): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(callback, delay) {
    const timer = setTimeout(callback, delay)
    return () => clearTimeout(timer)
  },
}
