import type { Team } from '../workspaces/teams.ts'

type Consents = Pick<
  Team,
  'aiPrivateRepositories' | 'aiPublicRepositories' | 'aiPrivateSandboxes' | 'aiPublicSandboxes'
>

/** Whether artificial intelligence may read something: the nearest that says something decides, and nobody's silence is a yes. */
export function aiConsentOf(said: {
  /** What it says itself, then what is around it; null for silence. */
  own: readonly (boolean | null)[]
  kind: 'Repositories' | 'Sandboxes'
  isPrivate: boolean
  /** Null for what is in no workspace. */
  team: Consents | null
}): boolean {
  const ofTeam = said.team?.[`ai${said.isPrivate ? 'Private' : 'Public'}${said.kind}`]
  return said.own.find((one) => one !== null) ?? ofTeam ?? false
}
