import { pino, stdSerializers } from 'pino'
import type { Configuration } from './configuration.ts'

export type Logger = ReturnType<typeof createLogger>

/** Structured logs on standard output. What could sign someone in never gets there. */
export function createLogger(configuration: Pick<Configuration, 'logLevel'>) {
  return pino({
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
  })
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
