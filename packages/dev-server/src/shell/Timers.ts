/** Time as the areas see it, so that tests decide when it passes. Milliseconds. */
export interface Timers {
  /** A clock that never goes back; only differences mean something. */
  now(): number
  /** Runs `run` once after `ms`; the answer cancels it. */
  after(ms: number, run: () => void): () => void
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, run) {
    if (ms <= 0) {
      // A timer of 0 ms takes 1 ms, which an echo would wait for.
      const immediate = setImmediate(run)
      return () => clearImmediate(immediate)
    }
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms`. */
export function pause(timers: Timers, ms: number): Promise<void> {
  return new Promise((resolve) => timers.after(ms, resolve))
}
