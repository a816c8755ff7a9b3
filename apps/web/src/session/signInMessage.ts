import { z } from 'zod'
import type { SignInMessage } from './sessionMachine.ts'

const messageSchema = z.union([
  z.object({ type: z.literal('signin') }),
  z.object({ type: z.literal('duplicate') }),
  z.object({ type: z.literal('signup'), data: z.object({ id: z.string() }) }),
  z.object({ type: z.literal('token'), token: z.string().min(1).max(200) }),
])

/** Reads a window message. Null: it is not one of the sign-in window's. */
export function signInMessage(data: unknown): SignInMessage | null {
  const parsed = messageSchema.safeParse(data)
  if (!parsed.success) return null
  return parsed.data.type === 'signup' ? { type: 'signup', pendingId: parsed.data.data.id } : parsed.data
}
