import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { branches, projects, teamMembers } from '../database/schema.ts'
import { isOfRepository } from './sameRepository.ts'

/**
 * Those of these people who may follow a repository now: the members of the workspaces that have it, and whoever has a contribution
 * branch of it.
 */
export async function whoMayFollowRepository(
  database: Queryable,
  userIds: readonly string[],
  { owner, name }: { owner: string; name: string },
): Promise<ReadonlySet<string>> {
  const isRepository = isOfRepository(projects, { owner, name })
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

/** Those of these people who may read a repository and what is said about it: everybody, where it was imported and is public. */
export async function whoMayReadRepository(
  database: Queryable,
  userIds: readonly string[],
  name: { owner: string; name: string },
): Promise<ReadonlySet<string>> {
  const [open] = await database
    .select({ id: projects.id })
    .from(projects)
    .where(and(isOfRepository(projects, name), sql`${projects.repository} ->> 'private' = 'false'`))
    .limit(1)
  return open ? new Set(userIds) : whoMayFollowRepository(database, userIds, name)
}
