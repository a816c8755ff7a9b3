/** The log of the dev server: one JSON object a line on stderr, which is the console of the box. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, error: unknown, fields?: Readonly<Record<string, unknown>>): void
}

export function createLog(write: (line: string) => void): Log {
  const line = (level: string, message: string, fields: Readonly<Record<string, unknown>>): void =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`)
  return {
    info: (message, fields = {}) => line('info', message, fields),
    error: (message, error, fields = {}) =>
      line('error', message, {
        ...fields,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
  }
}
