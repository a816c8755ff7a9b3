import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { branches, projects, teamMembers } from '../database/schema.ts'

/**
 * Those of these people who may follow a repository now: the members of the workspaces that have it, and whoever has a contribution
 * branch of it.
 */
export async function whoMayFollowRepository(
  database: Queryable,
  userIds: readonly string[],
  { owner, name }: { owner: string; name: string },
): Promise<ReadonlySet<string>> {
  const isRepository = and(
    eq(sql`lower(${projects.owner})`, owner.toLowerCase()),
    eq(sql`lower(${projects.name})`, name.toLowerCase()),
  )
  const [members, contributors] = await Promise.all([
    database
      .select({ userId: teamMembers.userId })
      .from(teamMembers)
      .innerJoin(projects, eq(projects.teamId, teamMembers.teamId))
      .where(and(isRepository, ne(teamMembers.authorization, 'none'), inArray(teamMembers.userId, [...userIds]))),
    database
      .select({ userId: branches.ownerId })
      .from(branches)
      .innerJoin(projects, eq(projects.id, branches.projectId))
      .where(and(isRepository, eq(branches.contribution, true), inArray(branches.ownerId, [...userIds]))),
  ])
  return new Set([...members, ...contributors].flatMap(({ userId }) => userId ?? []))
}
