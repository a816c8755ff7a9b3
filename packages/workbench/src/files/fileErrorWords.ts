import { ProtocolError } from '@boxyard/protocol'

/** What is told of a failed file operation, with the reason that came along where there is one. */
export function fileErrorWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const data = error instanceof ProtocolError ? error.data : null
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? data.reason : undefined
  return typeof reason === 'string' && reason !== '' ? `${message}: ${reason}` : message
}
