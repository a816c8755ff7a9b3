import { definePolicy } from './policy.ts'

/** What someone is to the whole installation, weakest first. */
export const installationRoles = ['visitor', 'user', 'curator', 'admin'] as const
export type InstallationRole = (typeof installationRoles)[number]

const people = ['user', 'curator', 'admin'] as const
const curators = ['curator', 'admin'] as const
const admins = ['admin'] as const

/** Who may do what beside sandboxes and workspaces: one row an operation. */
export const installationPolicy = {
  /** See public sandboxes, profiles, albums and official templates. */
  explore: ['visitor', 'user', 'curator', 'admin'],
  createTeam: people,
  createAlbum: people,
  like: people,
  upload: people,
  /** Choose what the explore page shows. */
  pick: curators,
  curateAlbums: curators,
  appointCurators: admins,
  /** Read the mails that were not sent because no mail server is set up. */
  readMails: admins,
  /** See what runs for everybody and what it costs, and put it to sleep. */
  operateMachines: admins,
  readAudit: admins,
  changeFeatureFlags: admins,
  giveBadges: admins,
} as const satisfies Record<string, readonly InstallationRole[]>

export type InstallationOperation = keyof typeof installationPolicy

export const installationPolicies = definePolicy<InstallationRole, InstallationOperation>(
  installationRoles,
  installationPolicy,
)

/** The role of someone, or of a visitor. */
export function installationRoleOf(
  user: { role: 'member' | 'admin'; curatorAt: Date | null } | null,
): InstallationRole {
  if (!user) return 'visitor'
  if (user.role === 'admin') return 'admin'
  return user.curatorAt === null ? 'user' : 'curator'
}
