import { pino, stdSerializers } from 'pino'
import type { DestinationStream, LoggerOptions } from 'pino'
import { join } from 'node:path'
import type { Configuration } from './configuration.ts'
import { RotatingFile } from './rotatingFile.ts'

export type Logger = ReturnType<typeof createLogger>

const LOG_FILE_BYTES = 8 * 1024 * 1024
const KEPT_LOG_FILES = 4

/** Where the log of a server goes that a person started in a terminal. */
export const logFileOf = ({ home }: Pick<Configuration, 'home'>): string => join(home, 'logs', 'server.log')

/** Standard output belongs to the person in a terminal; to a service, a container or a test it is the log. */
export function logDestination(configuration: Pick<Configuration, 'home'>, isTerminal: boolean): DestinationStream {
  if (!isTerminal) return pino.destination({ fd: 1, sync: true })
  return new RotatingFile({ path: logFileOf(configuration), maxBytes: LOG_FILE_BYTES, keep: KEPT_LOG_FILES })
}

/** Structured logs, one JSON object a line. What could sign someone in never gets there. */
export function createLogger(configuration: Pick<Configuration, 'logLevel'>, destination: DestinationStream) {
  const options: LoggerOptions = {
    level: configuration.logLevel,
    redact: {
      paths: [
        'req.headers.authorization',
        'req.headers.cookie',
        'res.headers["set-cookie"]',
        '*.token',
        '*.password',
        '*.secret',
        '*.databaseUrl',
      ],
      censor: '[secret]',
    },
    serializers: {
      err: (error: Error) => withoutParameters(stdSerializers.err(error)),
      req: (request: { method: string; url: string; hostname?: string; ip?: string }) => ({
        method: request.method,
        url: withoutSecrets(request.url),
        host: request.hostname,
        ip: request.ip,
      }),
    },
  }
  return pino(options, destination)
}

/** Tokens, codes and states travel in queries; only the names of the parameters are logged. */
export function withoutSecrets(url: string): string {
  const [path, query] = url.split('?', 2)
  if (query === undefined) return url
  const names = [...new URLSearchParams(query).keys()].map(encodeURIComponent)
  return `${path}?${names.map((name) => `${name}=…`).join('&')}`
}

/** The query layer writes the values of a failed query into its message; they may be what signs someone in. */
export function withoutParameters<T extends { message?: string; stack?: string }>(error: T): T {
  const cut = (text: string | undefined) =>
    text?.replace(/^params: [\s\S]*?(?=\n {4}at |$(?![\s\S]))/m, 'params: [secret]')
  return Object.assign(error, { message: cut(error.message), stack: cut(error.stack) })
}
