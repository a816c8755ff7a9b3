import type { PlanLimits, TeamStanding } from '@boxyard/api'
import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import { activePlans } from '../billing/activePlans.ts'
import type { ActivePlan } from '../billing/activePlans.ts'
import { teamMembers, users } from '../database/schema.ts'
import { defineListLoader, defineLoader, defineRowLoader } from '../graphql/loader.ts'
import { draftCounts } from '../sandboxes/counts.ts'
import { STRANGER, teamStandings } from './authorizeTeam.ts'
import { inviteesOf } from './invitations.ts'
import { limitsOf } from './limits.ts'
import { findTeams } from './teams.ts'
import { teamUsages } from './usage.ts'
import type { TeamUsage } from './usage.ts'

export const teamLoader = defineRowLoader(({ database }, ids) => findTeams(database, ids))

/** What whoever asks is in a workspace. */
export const standingLoader = defineLoader<string, TeamStanding>(async ({ database, user }, teamIds) => {
  const standingOf = user ? await teamStandings(database, teamIds, user.id) : () => STRANGER
  return teamIds.map((id) => standingOf(id))
})

/** Members with what they may do, in the order of their coming. */
export const membersLoader = defineListLoader(
  ({ database }, teamIds) =>
    database
      .select({ member: teamMembers, user: users })
      .from(teamMembers)
      .innerJoin(users, eq(users.id, teamMembers.userId))
      .where(and(inArray(teamMembers.teamId, [...teamIds]), ne(teamMembers.authorization, 'none')))
      .orderBy(asc(teamMembers.insertedAt), asc(users.username)),
  ({ member }) => member.teamId,
)

export const inviteesLoader = defineListLoader(
  ({ database }, teamIds) => inviteesOf(database, teamIds),
  ({ teamId }) => teamId,
)

export const planLoader = defineLoader<string, ActivePlan>(async ({ database }, teamIds) => {
  const planOf = await activePlans(database, teamIds)
  return teamIds.map((id) => planOf(id))
})

export const limitsLoader = defineLoader<string, PlanLimits>(async (context, teamIds) => {
  const plans = await planLoader(context).loadMany(teamIds)
  return plans.map((plan) => (plan instanceof Error ? plan : limitsOf(plan)))
})

export const usageLoader = defineLoader<string, TeamUsage>(async (context, teamIds) => {
  const limits = await limitsLoader(context).loadMany(teamIds)
  const usages = await teamUsages(context.database, teamIds, new Date())
  return teamIds.map((id, index) => {
    const limit = limits[index]!
    return limit instanceof Error ? limit : usages(id, limit.includedSandboxes)
  })
})

/** How many drafts each member has in a workspace: `team/user`. */
export const draftCountLoader = defineLoader<string, number>(async ({ database }, keys) => {
  const found = await draftCounts(database, [...new Set(keys.map((key) => key.slice(0, key.indexOf('/'))))])
  return keys.map((key) => found.get(key) ?? 0)
})
