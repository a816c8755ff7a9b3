import { methods, notifications } from '@boxyard/protocol'
import type { MethodName, NotificationName, NotificationParams, Result } from '@boxyard/protocol'
import * as z from 'zod'
import { DevServerClientError } from './errors.ts'
import { nilTolerant } from './nilTolerant.ts'

/**
 * Answers whose lists grow with the workspace or with a text. Their consumers check what they use of them; validating every
 * element would cost more than the work itself.
 */
const checkedByConsumer: ReadonlySet<string> = new Set<MethodName | NotificationName>([
  'fs/read',
  'fs/search',
  'fs/pathSearch',
  'fs/searchMatches',
  'file/open',
  'file/openByPath',
  'file/documentOperation',
])

/** @throws DevServerClientError INVALID_RESULT */
export function validateResult<M extends MethodName>(method: M, result: unknown): Result<M> {
  return validate(method, methods[method].result, result) as Result<M>
}

export function isNotificationName(name: string): name is NotificationName {
  return Object.hasOwn(notifications, name)
}

/** @throws DevServerClientError INVALID_RESULT */
export function validateNotification<N extends NotificationName>(name: N, params: unknown): NotificationParams<N> {
  return validate(name, notifications[name], params) as NotificationParams<N>
}

function validate(method: string, schema: z.ZodType, value: unknown): unknown {
  if (checkedByConsumer.has(method)) {
    if (typeof value === 'object' && value !== null) return value
    throw new DevServerClientError('INVALID_RESULT', { method, detail: 'no object' })
  }
  // Nothing of the answer is used.
  if (schema instanceof z.ZodNull) return null
  const parsed = nilTolerant(schema).safeParse(value ?? (schema.safeParse(null).success ? null : {}))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const detail = issue ? `${issue.path.join('.')}: ${issue.message}` : parsed.error.message
  throw new DevServerClientError('INVALID_RESULT', { method, detail })
}
