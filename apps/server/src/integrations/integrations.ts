import { and, eq } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { integrations } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import type { Sealer } from '../tokens/sealer.ts'
import type { VercelAccount } from './vercel.ts'

export type IntegrationType = (typeof integrations.$inferSelect)['type']

const purpose = (userId: string, type: IntegrationType) => `integration:${type}:${userId}`

export async function findIntegration(
  database: Queryable,
  userId: string,
  type: IntegrationType,
): Promise<typeof integrations.$inferSelect | null> {
  const [found] = await database
    .select()
    .from(integrations)
    .where(and(eq(integrations.userId, userId), eq(integrations.type, type)))
  return found ?? null
}

/** The token of a connected account, for calls in its owner's name. */
export function openIntegration(
  sealer: Sealer,
  { userId, type, sealedToken }: typeof integrations.$inferSelect,
): string {
  return sealer.open(sealedToken, purpose(userId, type))
}

/** Keeps an account that someone connected, in the place of the one they connected before. */
export async function keepIntegration(
  work: Work,
  sealer: Sealer,
  userId: string,
  type: IntegrationType,
  { token, email }: VercelAccount,
): Promise<void> {
  const values = { email, sealedToken: sealer.seal(token, purpose(userId, type)), updatedAt: new Date() }
  await work.tx
    .insert(integrations)
    .values({ userId, type, ...values })
    .onConflictDoUpdate({ target: [integrations.userId, integrations.type], set: values })
  await work.audit('integration.connected', { userId, detail: { type } })
}

export async function removeIntegration(work: Work, userId: string, type: IntegrationType): Promise<void> {
  const removed = await work.tx
    .delete(integrations)
    .where(and(eq(integrations.userId, userId), eq(integrations.type, type)))
    .returning({ type: integrations.type })
  if (removed.length > 0) await work.audit('integration.removed', { userId, detail: { type } })
}
