import { definePolicy } from './policy.ts'

/** What someone is to a workspace, weakest first. Whoever is no member is `none`. */
export const teamRoles = ['none', 'read', 'write', 'admin'] as const
export type TeamRole = (typeof teamRoles)[number]

const members = ['read', 'write', 'admin'] as const
const writers = ['write', 'admin'] as const
const admins = ['admin'] as const

/** Who may do what in a workspace: one row an operation. */
export const teamPolicy = {
  /** See its members, folders and sandboxes. */
  see: members,
  /** Make sandboxes, fork into it, and move sandboxes into it. */
  create: writers,
  /** Make, rename, move and delete folders. */
  editFolders: writers,
  editTemplates: writers,
  /** Import, change and remove repositories and their branches. */
  editRepositories: writers,
  removeRepositories: admins,
  /** See the link that lets people join. */
  seeInviteLink: writers,
  /** Invite people as something that is not more than oneself. */
  invite: writers,
  /** Take back invitations, and answer people who ask to be let in. */
  answerRequests: admins,
  /** Change what members may do, and remove them. */
  changeMembers: admins,
  /** Name, description, picture, use cases. */
  describe: admins,
  /** Privacy, export, leaving, default role, consent to artificial intelligence. */
  changeSettings: admins,
  changeRegistry: admins,
  /** See the plan, the bills and what is left of the credits. */
  seeBilling: admins,
  /** Change plan, add-ons and the spending limit. */
  changeBilling: admins,
  seeAudit: admins,
  leave: members,
  delete: admins,
} as const satisfies Record<string, readonly TeamRole[]>

export type TeamOperation = keyof typeof teamPolicy
export type TeamAbilities = Record<TeamOperation, boolean>

/** What whoever looks after the bill may do besides their role. */
export const managerOperations: readonly TeamOperation[] = ['seeBilling', 'changeBilling']

const policy = definePolicy<TeamRole, TeamOperation>(teamRoles, teamPolicy)
export const teamPolicies = policy
export const teamOperations = policy.operations

/** What a frozen workspace still allows: reading, leaving, and paying. */
export const frozenTeamOperations: readonly TeamOperation[] = [
  'see',
  'seeBilling',
  'changeBilling',
  'seeAudit',
  'leave',
  'delete',
]

/** A member: the role, and whether they look after the bill. */
export interface TeamStanding {
  role: TeamRole
  manager: boolean
}

export function mayDoInTeam({ role, manager }: TeamStanding, operation: TeamOperation): boolean {
  return policy.mayDo(role, operation) || (manager && role !== 'none' && managerOperations.includes(operation))
}

export function teamAbilitiesOf(standing: TeamStanding): TeamAbilities {
  return Object.fromEntries(
    teamOperations.map((operation) => [operation, mayDoInTeam(standing, operation)]),
  ) as TeamAbilities
}
