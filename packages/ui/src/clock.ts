export interface Clock {
  /** Calls back after `milliseconds`; the answer cancels it. */
  after(milliseconds: number, callback: () => void): () => void
}

export const browserClock: Clock = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}
