import { ApiError, frozenTeamOperations, mayDoInTeam } from '@boxyard/api'
import type { TeamOperation, TeamStanding } from '@boxyard/api'
import { and, eq, inArray } from 'drizzle-orm'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { teamMembers, teams } from '../database/schema.ts'
import type { Team } from './teams.ts'

export interface TeamAccess {
  team: Team
  standing: TeamStanding
}

export const STRANGER: TeamStanding = { role: 'none', manager: false }

/** What someone is in each of these workspaces. */
export async function teamStandings(
  database: Queryable,
  teamIds: readonly string[],
  userId: string,
): Promise<(teamId: string) => TeamStanding> {
  const rows = await database
    .select()
    .from(teamMembers)
    .where(and(inArray(teamMembers.teamId, [...teamIds]), eq(teamMembers.userId, userId)))
  const found = new Map(
    rows.map(({ teamId, authorization, teamManager }) => [teamId, { role: authorization, manager: teamManager }]),
  )
  return (teamId) => found.get(teamId) ?? STRANGER
}

/**
 * The workspace, when whoever asks may do this in it. For a stranger it does not exist. With `lock` nobody else changes its members or
 * settings until the transaction ends.
 */
export async function authorizeTeam(
  database: Queryable,
  teamId: string,
  user: Pick<User, 'id'> | null,
  operation: TeamOperation,
  { lock = false }: { lock?: boolean } = {},
): Promise<TeamAccess> {
  const query = database.select().from(teams).where(eq(teams.id, teamId))
  const [team] = await (lock ? query.for('no key update') : query)
  const standing = team && user ? (await teamStandings(database, [team.id], user.id))(team.id) : STRANGER
  if (!team || standing.role === 'none') throw new ApiError('NOT_FOUND', { detail: 'This workspace is not found' })
  if (!mayDoInTeam(standing, operation)) {
    const detail = operation === 'create' ? 'You are not allowed to create anything in this workspace' : undefined
    throw new ApiError('FORBIDDEN', detail === undefined ? {} : { detail })
  }
  if (team.frozen && !frozenTeamOperations.includes(operation)) throw new ApiError('WORKSPACE_FROZEN')
  return { team, standing }
}
