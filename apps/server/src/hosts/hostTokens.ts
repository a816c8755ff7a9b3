import { and, asc, eq, gt, isNull, or } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { hashSecret, newSecret } from '../accounts/secrets.ts'
import type { Queryable } from '../database/database.ts'
import { hostTokens } from '../database/schema.ts'

export type HostToken = typeof hostTokens.$inferSelect

const PREFIX = 'prv_v1_'
/** So much of a token is kept readable, to tell tokens apart in a list. */
const SHOWN = PREFIX.length + 5

const USE_NOTED_MS = 60_000

export const isHostToken = (token: string): boolean => token.startsWith(PREFIX)

/** Makes a token for the previews of a sandbox. The token itself is known to nobody but whoever asked. */
export async function createHostToken(
  database: Queryable,
  sandboxId: string,
  expiresAt: Date | null,
): Promise<{ token: string; row: HostToken }> {
  const token = newSecret(PREFIX)
  const [row] = await database
    .insert(hostTokens)
    .values({ id: randomUUID(), sandboxId, tokenHash: hashSecret(token), prefix: token.slice(0, SHOWN), expiresAt })
    .returning()
  return { token, row: row! }
}

export function listHostTokens(database: Queryable, sandboxId: string): Promise<HostToken[]> {
  return database
    .select()
    .from(hostTokens)
    .where(eq(hostTokens.sandboxId, sandboxId))
    .orderBy(asc(hostTokens.insertedAt))
}

/** Changes the end of a token; null for never. Null when the sandbox has no such token. */
export async function changeHostToken(
  database: Queryable,
  sandboxId: string,
  id: string,
  expiresAt: Date | null,
): Promise<HostToken | null> {
  const [row] = await database
    .update(hostTokens)
    .set({ expiresAt })
    .where(and(eq(hostTokens.sandboxId, sandboxId), eq(hostTokens.id, id)))
    .returning()
  return row ?? null
}

export async function revokeHostTokens(database: Queryable, sandboxId: string): Promise<void> {
  await database.delete(hostTokens).where(eq(hostTokens.sandboxId, sandboxId))
}

/** Whether the token lets its holder look at the previews of this sandbox now. Notes that it was used. */
export async function useHostToken(database: Queryable, sandboxId: string, token: string, now: Date): Promise<boolean> {
  const [found] = await database
    .select()
    .from(hostTokens)
    .where(
      and(
        eq(hostTokens.sandboxId, sandboxId),
        eq(hostTokens.tokenHash, hashSecret(token)),
        or(isNull(hostTokens.expiresAt), gt(hostTokens.expiresAt, now)),
      ),
    )
  if (!found) return false
  // Every file of a page comes through here; to the minute is enough.
  if (now.getTime() - (found.lastUsedAt?.getTime() ?? 0) > USE_NOTED_MS) {
    await database.update(hostTokens).set({ lastUsedAt: now }).where(eq(hostTokens.id, found.id))
  }
  return true
}
