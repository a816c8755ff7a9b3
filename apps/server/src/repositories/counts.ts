import { inArray, sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { projects } from '../database/schema.ts'

/** Repositories by workspace, as the git host last said whether they are private. */
export async function projectCounts(
  database: Queryable,
  teamIds: readonly string[],
): Promise<ReadonlyMap<string, { privateOnes: number; publicOnes: number }>> {
  const rows = await database
    .select({
      teamId: projects.teamId,
      privateOnes: sql<number>`(count(*) filter (where (${projects.repository} ->> 'private')::boolean))::int`,
      publicOnes: sql<number>`(count(*) filter (where not coalesce((${projects.repository} ->> 'private')::boolean, false)))::int`,
    })
    .from(projects)
    .where(inArray(projects.teamId, [...teamIds]))
    .groupBy(projects.teamId)
  return new Map(rows.flatMap(({ teamId, ...counts }) => (teamId === null ? [] : [[teamId, counts] as const])))
}
