import { mayDoInTeam } from '@boxyard/api'
import type { TeamOperation } from '@boxyard/api'
import { and, eq, inArray } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { teamMembers } from '../database/schema.ts'

/** Those of these people who may do something in a workspace now. */
export async function whoMayInTeam(
  database: Queryable,
  userIds: readonly string[],
  teamId: string,
  operation: TeamOperation,
): Promise<ReadonlySet<string>> {
  const members = await database
    .select()
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, teamId), inArray(teamMembers.userId, [...userIds])))
  const allowed = members.filter(({ authorization, teamManager }) =>
    mayDoInTeam({ role: authorization, manager: teamManager }, operation),
  )
  return new Set(allowed.map(({ userId }) => userId))
}
