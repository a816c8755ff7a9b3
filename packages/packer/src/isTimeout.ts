/** Whether this is why a signal of time has ended something. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'
