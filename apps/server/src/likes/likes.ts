import { mayDo } from '@boxyard/api'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { sandboxes, sandboxLikes } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { authorizeSandbox, findSandboxes, rolesIn } from '../sandboxes/sandboxes.ts'
import type { Sandbox } from '../sandboxes/sandboxes.ts'

/** Likes a sandbox, or takes that back. Doing so twice counts once. */
export async function setLiked(work: Work, user: User, sandboxId: string, liked: boolean): Promise<Sandbox> {
  const { sandbox } = await authorizeSandbox(work.tx, sandboxId, user, 'see')
  const own = and(eq(sandboxLikes.sandboxId, sandbox.id), eq(sandboxLikes.userId, user.id))
  const changed = liked
    ? await work.tx
        .insert(sandboxLikes)
        .values({ sandboxId: sandbox.id, userId: user.id })
        .onConflictDoNothing()
        .returning()
    : await work.tx.delete(sandboxLikes).where(own).returning()
  if (changed.length === 0) return sandbox
  const [counted] = await work.tx
    .update(sandboxes)
    .set({ likeCount: sql`${sandboxes.likeCount} + ${liked ? 1 : -1}` })
    .where(eq(sandboxes.id, sandbox.id))
    .returning()
  await work.publish('sandboxChanged', { sandboxId: sandbox.id })
  return counted!
}

/** Which of these sandboxes someone likes. */
export async function likedAmong(
  database: Queryable,
  userId: string,
  sandboxIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (sandboxIds.length === 0) return new Set()
  const rows = await database
    .select({ sandboxId: sandboxLikes.sandboxId })
    .from(sandboxLikes)
    .where(and(eq(sandboxLikes.userId, userId), inArray(sandboxLikes.sandboxId, [...sandboxIds])))
  return new Set(rows.map(({ sandboxId }) => sandboxId))
}

/** What someone likes, the newest like first, as far as `viewer` may see it. */
export async function likedSandboxes(
  database: Queryable,
  userId: string,
  viewer: Pick<User, 'id'> | null,
): Promise<Sandbox[]> {
  const rows = await database
    .select({ id: sandboxLikes.sandboxId })
    .from(sandboxLikes)
    .where(eq(sandboxLikes.userId, userId))
    .orderBy(desc(sandboxLikes.insertedAt))
    .limit(500)
  const found = await findSandboxes(
    database,
    rows.map(({ id }) => id),
  )
  const roles = await rolesIn(database, found, viewer)
  const visible = new Map(found.flatMap((sandbox, at) => (mayDo(roles[at]!, 'see') ? [[sandbox.id, sandbox]] : [])))
  return rows.flatMap(({ id }) => visible.get(id) ?? [])
}
