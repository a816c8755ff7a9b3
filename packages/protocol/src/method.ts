import type { z } from 'zod'
import type { PermissionFlag } from './access.ts'

/**
 * One request of the protocol. `params` validates what a client sends after nil members were dropped; `result` is the
 * shape of the answer; `permission` is the flag a client needs, or null when everybody who joined may call it.
 */
export interface Method<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  params: P
  result: R
  permission: PermissionFlag | null
}

export function method<P extends z.ZodType, R extends z.ZodType>(
  params: P,
  result: R,
  permission: PermissionFlag | null = null,
): Method<P, R> {
  return { params, result, permission }
}
