import { and, count, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { placeWithin } from '../database/placeWithin.ts'
import { sandboxes } from '../database/schema.ts'
import { isNoBranch } from './sandboxes.ts'

/** Drafts by workspace and author: `team/user`. */
export async function draftCounts(database: Queryable, teamIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await database
    .select({ teamId: sandboxes.teamId, authorId: sandboxes.authorId, drafts: count() })
    .from(sandboxes)
    .where(
      and(
        inArray(sandboxes.teamId, [...teamIds]),
        isNull(sandboxes.collectionId),
        isNull(sandboxes.removedAt),
        isNoBranch,
      ),
    )
    .groupBy(sandboxes.teamId, sandboxes.authorId)
  return new Map(rows.map(({ teamId, authorId, drafts }) => [`${teamId}/${authorId}`, drafts]))
}

export interface SandboxCounts {
  filed: number
  privateOnes: number
  publicOnes: number
}

/** Sandboxes in folders by workspace, without the trash. */
export async function filedCounts(
  database: Queryable,
  teamIds: readonly string[],
): Promise<ReadonlyMap<string, SandboxCounts>> {
  const rows = await database
    .select({
      teamId: sandboxes.teamId,
      filed: count(),
      privateOnes: sql<number>`(count(*) filter (where ${sandboxes.privacy} = 2))::int`,
      publicOnes: sql<number>`(count(*) filter (where ${sandboxes.privacy} <> 2))::int`,
    })
    .from(sandboxes)
    .where(and(inArray(sandboxes.teamId, [...teamIds]), isNotNull(sandboxes.collectionId), isNull(sandboxes.removedAt)))
    .groupBy(sandboxes.teamId)
  return new Map(rows.map(({ teamId, ...counts }) => [teamId, counts]))
}

/** Sandboxes in folders that are beyond the number their workspace may have: the newest ones. */
export async function restrictedIds(
  database: Queryable,
  beyond: readonly { teamId: string; included: number }[],
): Promise<ReadonlySet<string>> {
  if (beyond.length === 0) return new Set()
  const filed = database
    .select({
      id: sandboxes.id,
      teamId: sandboxes.teamId,
      place: placeWithin(sandboxes.teamId, sandboxes.insertedAt, sandboxes.id),
    })
    .from(sandboxes)
    .where(
      and(
        inArray(
          sandboxes.teamId,
          beyond.map(({ teamId }) => teamId),
        ),
        isNotNull(sandboxes.collectionId),
        isNull(sandboxes.removedAt),
      ),
    )
    .as('filed')
  const rows = await database
    .select({ id: filed.id })
    .from(filed)
    .where(or(...beyond.map(({ teamId, included }) => and(eq(filed.teamId, teamId), gt(filed.place, included)))))
  return new Set(rows.map(({ id }) => id))
}
