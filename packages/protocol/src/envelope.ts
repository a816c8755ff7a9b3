import { z } from 'zod'

/** Request, client to server. `id` counts up per client object, across reconnects. */
export const requestSchema = z.object({
  id: z.number().int().nonnegative(),
  method: z.string().min(1).max(100),
  params: z.unknown().optional(),
})
export type Request = z.infer<typeof requestSchema>

export const RESOLVED = 0
export const REJECTED = 1

export interface ResultResponse {
  id: number
  method: string
  status: typeof RESOLVED
  result: unknown
}

export interface ErrorResponse {
  id: number
  method: string
  status: typeof REJECTED
  error: { code: number; message: string; data?: unknown }
}

export interface NotificationMessage {
  method: string
  params: unknown
}

export type ServerMessage = ResultResponse | ErrorResponse | NotificationMessage

export type ClassifiedMessage =
  | { kind: 'notification'; message: NotificationMessage }
  | { kind: 'error'; message: ErrorResponse }
  | { kind: 'result'; message: ResultResponse }

/**
 * Tells server messages apart by the presence of keys, in this order: no `id` and a `params` key is a notification, an
 * `error` key is an error, a `result` key is a result. Public clients do the same, so a server never sends a key it does not mean.
 */
export function classify(message: unknown): ClassifiedMessage {
  if (typeof message === 'object' && message !== null) {
    if (!('id' in message) && 'params' in message) {
      return { kind: 'notification', message: message as NotificationMessage }
    }
    if ('error' in message) return { kind: 'error', message: message as ErrorResponse }
    if ('result' in message) return { kind: 'result', message: message as ResultResponse }
  }
  throw new Error('Unable to identify message type')
}
