import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { rowsInTurn } from '../database/sameTurn.ts'
import { defineStatement } from '../database/statement.ts'
import { teamMembers, teams } from '../database/schema.ts'

export type Team = typeof teams.$inferSelect
export type MemberAuthorization = (typeof teamMembers.$inferSelect)['authorization']

/** The workspace that belongs to one person and goes with the account. */
export async function createPersonalTeam(database: Queryable, user: { id: string; username: string }): Promise<string> {
  const id = randomUUID()
  await database.insert(teams).values({ id, kind: 'personal', name: user.username, creatorId: user.id })
  await database.insert(teamMembers).values({ teamId: id, userId: user.id, authorization: 'admin' })
  return id
}

/** Makes someone a member with the rights new ones get there, and says whether they are one since now. Whoever was one keeps theirs. */
export async function joinTeam(database: Queryable, teamId: string, userId: string): Promise<boolean> {
  const [team] = await findTeams(database, [teamId])
  if (!team) return false
  const { defaultAuthorization: authorization } = team
  const joined = await database
    .insert(teamMembers)
    .values({ teamId, userId, authorization })
    .onConflictDoNothing()
    .returning()
  return joined.length > 0
}

/** The workspaces someone belongs to, the personal one first. */
export async function teamsOf(database: Queryable, userId: string): Promise<Team[]> {
  const rows = await database
    .select({ team: teams })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(and(eq(teamMembers.userId, userId), ne(teamMembers.authorization, 'none')))
    .orderBy(asc(teams.kind), asc(teams.insertedAt))
  return rows.map(({ team }) => team)
}

const teamsById = defineStatement<{ ids: readonly string[] }, Team[]>('teams by id', (database) =>
  database
    .select()
    .from(teams)
    .where(sql`${teams.id} = any(${sql.placeholder('ids')})`),
)

const teamsInTurn = rowsInTurn<Team>((database, ids) => teamsById(database, { ids }))

export async function findTeams(database: Queryable, ids: readonly string[]): Promise<Team[]> {
  return ids.length === 0 ? [] : teamsInTurn(database, ids)
}

export async function personalTeamId(database: Queryable, userId: string): Promise<string> {
  const id = (await findPersonalTeamIds(database, [userId])).get(userId)
  if (id === undefined) throw new Error(`The user ${userId} has no personal workspace`)
  return id
}

/** The workspace someone chose to see first, or null. */
export async function primaryTeamId(database: Queryable, userId: string): Promise<string | null> {
  const [row] = await database
    .select({ teamId: teamMembers.teamId })
    .from(teamMembers)
    .where(and(eq(teamMembers.userId, userId), teamMembers.isPrimary))
  return row?.teamId ?? null
}

/** The personal workspace of each of these users. */
export async function findPersonalTeamIds(
  database: Queryable,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await database
    .select({ id: teams.id, creatorId: teams.creatorId })
    .from(teams)
    .where(and(inArray(teams.creatorId, [...userIds]), eq(teams.kind, 'personal')))
  return new Map(rows.flatMap(({ id, creatorId }) => (creatorId === null ? [] : [[creatorId, id] as const])))
}

/** What someone may do in a workspace, or null for someone who does not belong to it. */
export async function memberAuthorization(
  database: Queryable,
  teamId: string,
  userId: string,
): Promise<MemberAuthorization | null> {
  return (await memberAuthorizations(database, [teamId], userId)).get(teamId) ?? null
}

const membershipsOf = defineStatement<
  { teamIds: readonly string[]; userId: string },
  { teamId: string; authorization: MemberAuthorization }[]
>('memberships', (database) =>
  database
    .select({ teamId: teamMembers.teamId, authorization: teamMembers.authorization })
    .from(teamMembers)
    .where(
      and(
        sql`${teamMembers.teamId} = any(${sql.placeholder('teamIds')})`,
        eq(teamMembers.userId, sql.placeholder('userId')),
      ),
    ),
)

/** The same for several workspaces, without those someone does not belong to. */
export async function memberAuthorizations(
  database: Queryable,
  teamIds: readonly string[],
  userId: string,
): Promise<Map<string, MemberAuthorization>> {
  const rows = await membershipsOf(database, { teamIds, userId })
  return new Map(rows.map(({ teamId, authorization }) => [teamId, authorization]))
}
