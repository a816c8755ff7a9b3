import type { MethodName } from '@boxyard/protocol'
import { timings } from './timings.ts'

/** Requests whose content is out of date by the time a connection is back. Text is resynchronised instead. */
const neverQueued: ReadonlySet<MethodName> = new Set<MethodName>([
  'client/join',
  'system/metrics',
  'shell/resize',
  'file/documentOperation',
  'file/documentAck',
  'file/documentSelection',
])

/** Requests that belong to the instance a client is about to move to: they change what the present one keeps. */
const heldForNewInstance: ReadonlySet<string> = new Set([
  'fs/operation',
  'fs/upload',
  'file/save',
  'task/runCommand',
  'task/update',
  'task/create',
  'git/renameBranch',
  'container/setup',
  'language/lspRequest',
])
/** The same, for paths in the workspace. */
const heldWrites: ReadonlySet<string> = new Set(['fs/copy', 'fs/mkdir', 'fs/writeFile', 'fs/remove', 'fs/rename'])

/**
 * What becomes of a request while the next instance is prepared. Dropped edits come back with the resync that follows the change.
 */
export function duringInstanceChange(
  method: MethodName,
  params: unknown,
  workspacePath: string,
): 'send' | 'hold' | 'drop' {
  if (method === 'file/documentOperation') return 'drop'
  if (heldForNewInstance.has(method)) return 'hold'
  return heldWrites.has(method) && pathsOf(params).some((path) => isInside(path, workspacePath)) ? 'hold' : 'send'
}

function pathsOf(params: unknown): string[] {
  if (typeof params !== 'object' || params === null) return []
  return ['path', 'from', 'to'].flatMap((name) => {
    const value = (params as Record<string, unknown>)[name]
    return typeof value === 'string' ? [value] : []
  })
}

function isInside(path: string, workspacePath: string): boolean {
  return !path.startsWith('/') || path === workspacePath || path.startsWith(`${workspacePath}/`)
}

/** Whether a request made while not connected waits for the connection; otherwise it is rejected. */
export function isQueued(method: MethodName, params: unknown): boolean {
  if (neverQueued.has(method)) return false
  if (method === 'language/lspRequest') return languageMethodOf(params) === 'initialize'
  const isResync = typeof params === 'object' && params !== null && 'isResync' in params && params.isResync === true
  return !isResync
}

/** How long the answer to a request may take. */
export function timeoutOf(method: MethodName): number {
  return method === 'language/lspRequest' ? timings.languageRequest : timings.request
}

/** What a language server is asked. All but the first question are about texts as they were when it was asked. */
function languageMethodOf(params: unknown): string | undefined {
  const { message } = params as { message?: { method?: string } }
  return message?.method
}
