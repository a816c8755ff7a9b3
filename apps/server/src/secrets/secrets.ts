import { ApiError } from '@boxyard/api'
import { and, count, eq } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Queryable } from '../database/database.ts'
import { secrets } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import type { Sealer } from '../tokens/sealer.ts'

export const MOST_SECRETS = 100

export const secretSchema = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'Use letters, digits and underscores, no digit first, at most 100.'),
  value: z
    .string()
    .max(32_768, 'At most 32 KiB.')
    .refine((value) => !value.includes('\u0000'), { error: 'Leave out NUL characters.' }),
})
export type Secret = z.infer<typeof secretSchema>

const purpose = (sandboxId: string, name: string) => `secret:sandbox:${sandboxId}:${name}`

/** The environment variables of a sandbox, by name, opened. */
export async function sandboxSecrets(
  database: Queryable,
  sealer: Sealer,
  sandboxId: string,
): Promise<Record<string, string>> {
  const rows = await database.select().from(secrets).where(eq(secrets.sandboxId, sandboxId)).orderBy(secrets.name)
  return Object.fromEntries(
    rows.map(({ name, sealedValue }) => [name, sealer.open(sealedValue, purpose(sandboxId, name))]),
  )
}

/** Sets one. The log says that it was set, never to what. The sandbox is locked. */
export async function setSandboxSecret(
  work: Work,
  sealer: Sealer,
  sandboxId: string,
  { name, value }: Secret,
): Promise<void> {
  const sealedValue = sealer.seal(value, purpose(sandboxId, name))
  const changed = await work.tx
    .update(secrets)
    .set({ sealedValue, updatedAt: new Date() })
    .where(and(eq(secrets.sandboxId, sandboxId), eq(secrets.name, name)))
    .returning({ id: secrets.id })
  if (changed.length === 0) {
    const [row] = await work.tx.select({ total: count() }).from(secrets).where(eq(secrets.sandboxId, sandboxId))
    if (row!.total >= MOST_SECRETS) {
      throw new ApiError('LIMIT_REACHED', { detail: `You reached the maximum of ${MOST_SECRETS} variables` })
    }
    await work.tx.insert(secrets).values({ id: randomUUID(), sandboxId, name, sealedValue, createdById: work.actorId })
  }
  await work.audit('secret.set', { sandboxId, detail: { name } })
}

export async function removeSandboxSecret(work: Work, sandboxId: string, name: string): Promise<void> {
  const removed = await work.tx
    .delete(secrets)
    .where(and(eq(secrets.sandboxId, sandboxId), eq(secrets.name, name)))
    .returning({ id: secrets.id })
  if (removed.length === 0) throw new ApiError('NOT_FOUND', { detail: 'There is no variable of this name' })
  await work.audit('secret.removed', { sandboxId, detail: { name } })
}
