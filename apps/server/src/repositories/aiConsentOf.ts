import type { Team } from '../workspaces/teams.ts'

/** Whether artificial intelligence may read a branch: the nearest that says something decides, and nobody's silence is a yes. */
export function aiConsentOf(said: {
  branch: boolean | null
  project: boolean | null
  isPrivate: boolean
  team: Pick<Team, 'aiPrivateRepositories' | 'aiPublicRepositories'> | null
}): boolean {
  const ofTeam = said.isPrivate ? said.team?.aiPrivateRepositories : said.team?.aiPublicRepositories
  return said.branch ?? said.project ?? ofTeam ?? false
}
