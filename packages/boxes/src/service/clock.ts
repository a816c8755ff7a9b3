/** Time as the service needs it; also what XState takes. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  setTimeout(work: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (work, ms) => setTimeout(work, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
}
