import { and, asc, eq, inArray } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
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

/** The workspaces someone belongs to, the personal one first. */
export async function teamsOf(database: Queryable, userId: string): Promise<Team[]> {
  const rows = await database
    .select({ team: teams })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(eq(teamMembers.userId, userId))
    .orderBy(asc(teams.kind), asc(teams.insertedAt))
  return rows.map(({ team }) => team)
}

export async function findTeams(database: Queryable, ids: readonly string[]): Promise<Team[]> {
  return ids.length === 0
    ? []
    : database
        .select()
        .from(teams)
        .where(inArray(teams.id, [...ids]))
}

export async function personalTeamId(database: Queryable, userId: string): Promise<string> {
  const [team] = await database
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.creatorId, userId), eq(teams.kind, 'personal')))
  if (!team) throw new Error(`The user ${userId} has no personal workspace`)
  return team.id
}

/** What someone may do in a workspace, or null for someone who does not belong to it. */
export async function memberAuthorization(
  database: Queryable,
  teamId: string,
  userId: string,
): Promise<MemberAuthorization | null> {
  const [member] = await database
    .select({ authorization: teamMembers.authorization })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)))
  return member?.authorization ?? null
}
