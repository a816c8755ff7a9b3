import { ApiError, installationPolicies, installationRoleOf } from '@boxyard/api'
import { and, desc, eq, gte, inArray, isNull } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { User } from '../accounts/users.ts'
import { findUsers } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { gits, sandboxes, sandboxPicks } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { accessSandbox } from '../sandboxes/sandboxes.ts'
import type { Sandbox } from '../sandboxes/sandboxes.ts'

export type Pick = typeof sandboxPicks.$inferSelect

/** A public sandbox as the explore page shows it. */
export interface ExploredSandbox {
  sandbox: Sandbox
  author: User | null
  /** Its place in a repository. */
  git: typeof gits.$inferSelect | null
  picks: Pick[]
}

const PAGE = 20
const isPublic = and(eq(sandboxes.privacy, 0), isNull(sandboxes.removedAt))

/** Public sandboxes that are opened most among those made since a day. */
export async function popularSandboxes(database: Queryable, since: Date): Promise<ExploredSandbox[]> {
  const rows = await database
    .select()
    .from(sandboxes)
    .where(and(isPublic, gte(sandboxes.insertedAt, since)))
    .orderBy(desc(sandboxes.viewCount), desc(sandboxes.insertedAt))
    .limit(PAGE)
  return withSurroundings(database, rows)
}

/** What curators chose, the newest choice first. Pages begin with 1. */
export async function pickedSandboxes(database: Queryable, page: number): Promise<ExploredSandbox[]> {
  const rows = await database
    .selectDistinctOn([sandboxPicks.sandboxId], { sandbox: sandboxes, at: sandboxPicks.insertedAt })
    .from(sandboxPicks)
    .innerJoin(sandboxes, eq(sandboxes.id, sandboxPicks.sandboxId))
    .where(isPublic)
    .orderBy(sandboxPicks.sandboxId, desc(sandboxPicks.insertedAt))
  const newestFirst = rows.toSorted((a, b) => b.at.getTime() - a.at.getTime())
  return withSurroundings(
    database,
    newestFirst.slice((page - 1) * PAGE, page * PAGE).map(({ sandbox }) => sandbox),
  )
}

/** Puts a public sandbox on the explore page. */
export async function pickSandbox(
  work: Work,
  user: User,
  { sandboxId, title, description }: { sandboxId: string; title: string; description: string },
): Promise<Pick> {
  installationPolicies.authorize(installationRoleOf(user), 'pick')
  const access = await accessSandbox(work.tx, sandboxId, user)
  if (!access) throw new ApiError('NOT_FOUND', { detail: 'This sandbox is not found' })
  if (access.sandbox.privacy !== 0) {
    throw new ApiError('INVALID_INPUT', { detail: 'Only public sandboxes can be picked' })
  }
  const [pick] = await work.tx
    .insert(sandboxPicks)
    .values({ id: randomUUID(), sandboxId: access.sandbox.id, curatorId: user.id, title, description })
    .returning()
  return pick!
}

async function withSurroundings(database: Queryable, list: readonly Sandbox[]): Promise<ExploredSandbox[]> {
  if (list.length === 0) return []
  const users = await findUsers(database, [...new Set(list.flatMap(({ authorId }) => authorId ?? []))])
  const authors = new Map(users.map((user) => [user.id, user]))
  const picks = await database
    .select()
    .from(sandboxPicks)
    .where(
      inArray(
        sandboxPicks.sandboxId,
        list.map(({ id }) => id),
      ),
    )
    .orderBy(desc(sandboxPicks.insertedAt))
  const gitIds = list.flatMap(({ gitId }) => gitId ?? [])
  const places = gitIds.length === 0 ? [] : await database.select().from(gits).where(inArray(gits.id, gitIds))
  return list.map((sandbox) => ({
    sandbox,
    git: places.find(({ id }) => id === sandbox.gitId) ?? null,
    author: sandbox.authorId === null ? null : (authors.get(sandbox.authorId) ?? null),
    picks: picks.filter(({ sandboxId }) => sandboxId === sandbox.id),
  }))
}
