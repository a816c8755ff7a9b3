import { ApiError } from '@boxyard/api'
import type { SdkScope } from '@boxyard/api'
import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { hashSecret, newSecret } from '../accounts/secrets.ts'
import { findUser } from '../accounts/users.ts'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { apiKeys } from '../database/schema.ts'

export type ApiKey = typeof apiKeys.$inferSelect

const PREFIX = 'csb_key_'
const USE_NOTED_MS = 60_000

export const isApiKey = (token: string): boolean => token.startsWith(PREFIX)

export interface KeyChange {
  description?: string | null | undefined
  scopes?: readonly SdkScope[] | null | undefined
  expiresAt?: Date | null | undefined
}

/** Makes a key. The key itself is known to nobody but whoever asked for it. */
export async function createApiKey(
  database: Queryable,
  owner: { teamId: string; userId: string },
  { description, scopes, expiresAt }: KeyChange & { scopes: readonly SdkScope[] },
): Promise<{ key: string; row: ApiKey }> {
  const key = newSecret(PREFIX)
  const values = {
    id: randomUUID(),
    ...owner,
    description: description ?? null,
    keyHash: hashSecret(key),
    scopes: [...scopes],
    expiresAt: expiresAt ?? null,
  }
  const [row] = await database.insert(apiKeys).values(values).returning()
  return { key, row: row! }
}

/** Changes what is given; a key that has ended stays as it is. */
export async function changeApiKey(
  database: Queryable,
  teamId: string,
  id: string,
  { description, scopes, expiresAt }: KeyChange,
): Promise<ApiKey> {
  const [row] = await database
    .update(apiKeys)
    .set({ description, scopes: scopes ? [...scopes] : undefined, expiresAt, updatedAt: new Date() })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.teamId, teamId)))
    .returning()
  if (!row) throw new ApiError('NOT_FOUND', { detail: 'This token is not found' })
  return row
}

/** The key and its maker, while it has not ended. Notes that it was used. */
export async function findApiKey(
  database: Queryable,
  key: string,
  now: Date,
): Promise<{ row: ApiKey; user: User } | null> {
  const [row] = await database
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.keyHash, hashSecret(key)), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now))))
  const user = row ? await findUser(database, row.userId) : null
  if (!row || !user) return null
  if (now.getTime() - (row.lastUsedAt?.getTime() ?? 0) > USE_NOTED_MS) {
    await database.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, row.id))
  }
  return { row, user }
}
