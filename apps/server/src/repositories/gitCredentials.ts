import type { Viewer } from '@boxyard/git-host'
import { eq } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { gitCredentials } from '../database/schema.ts'
import type { Sealer } from '../tokens/sealer.ts'

export type GitCredential = typeof gitCredentials.$inferSelect

const purposeOf = (userId: string) => `git credential of ${userId}`

export async function findCredential(database: Queryable, userId: string): Promise<GitCredential | null> {
  const [credential] = await database.select().from(gitCredentials).where(eq(gitCredentials.userId, userId))
  return credential ?? null
}

export function openToken(sealer: Sealer, { userId, sealedToken }: GitCredential): string {
  return sealer.open(sealedToken, purposeOf(userId))
}

/** Keeps what someone allowed at the git host, in the place of what they allowed before. */
export async function keepCredential(
  database: Queryable,
  sealer: Sealer,
  { userId, issuer, token, viewer }: { userId: string; issuer: string; token: string; viewer: Viewer },
): Promise<void> {
  const values = {
    issuer,
    subject: String(viewer.id),
    login: viewer.login,
    name: viewer.name,
    avatarUrl: viewer.avatarUrl,
    scopes: viewer.scopes,
    sealedToken: sealer.seal(token, purposeOf(userId)),
    updatedAt: new Date(),
  }
  await database
    .insert(gitCredentials)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: gitCredentials.userId, set: values })
}

/** Whether there was one. */
export async function removeCredential(database: Queryable, userId: string): Promise<boolean> {
  const removed = await database
    .delete(gitCredentials)
    .where(eq(gitCredentials.userId, userId))
    .returning({ userId: gitCredentials.userId })
  return removed.length > 0
}
