import { activePlans } from '../billing/activePlans.ts'
import type { Queryable } from '../database/database.ts'
import type { Team } from '../workspaces/teams.ts'
import { findTeams, memberAuthorizations } from '../workspaces/teams.ts'
import type { Project } from './projects.ts'

/**
 * The projects of one repository in the order in which its address opens them: those in workspaces of the person come first, and among them
 * a paid team, then a paid personal workspace, then any team, then the rest.
 */
export async function projectsInOrder(
  database: Queryable,
  list: readonly Project[],
  userId: string | null,
): Promise<Project[]> {
  const teamIds = [...new Set(list.flatMap(({ teamId }) => teamId ?? []))]
  if (userId === null || teamIds.length === 0) return [...list]
  const [members, teams, planOf] = await Promise.all([
    memberAuthorizations(database, teamIds, userId),
    findTeams(database, teamIds),
    activePlans(database, teamIds),
  ])
  const kinds = new Map(teams.map(({ id, kind }) => [id, kind]))
  const rank = ({ teamId }: Project): number => {
    if (teamId === null || (members.get(teamId) ?? 'none') === 'none') return 4
    const isPaid = planOf(teamId).name !== 'free'
    const isTeam = kinds.get(teamId) === 'team'
    if (isPaid) return isTeam ? 0 : 1
    return isTeam ? 2 : 3
  }
  return list.toSorted((a, b) => rank(a) - rank(b))
}

/** Teams that have a repository, for somebody who is in none of the workspaces that do: those that they could ask to be let in. */
export async function teamsBeyond(database: Queryable, list: readonly Project[], userId: string): Promise<Team[]> {
  const teamIds = [...new Set(list.flatMap(({ teamId }) => teamId ?? []))]
  if (teamIds.length === 0) return []
  const members = await memberAuthorizations(database, teamIds, userId)
  if ([...members.values()].some((authorization) => authorization !== 'none')) return []
  // A personal workspace belongs to one person.
  return (await findTeams(database, teamIds)).filter(({ kind }) => kind === 'team')
}
