import type { MethodName } from '@boxyard/protocol'

/** Requests whose content is out of date by the time a connection is back. Text is resynchronised instead. */
const neverQueued: ReadonlySet<MethodName> = new Set<MethodName>([
  'client/join',
  'system/metrics',
  'shell/resize',
  'file/documentOperation',
  'file/documentAck',
  'file/documentSelection',
])

/** Whether a request made while not connected waits for the connection; otherwise it is rejected. */
export function isQueued(method: MethodName, params: unknown): boolean {
  if (neverQueued.has(method)) return false
  const isResync = typeof params === 'object' && params !== null && 'isResync' in params && params.isResync === true
  return !isResync
}
