import { planNames } from '@boxyard/api'
import type { PlanName } from '@boxyard/api'
import { and, desc, inArray, lt, sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { creditEntries, subscriptions } from '../database/schema.ts'

/** What a workspace has bought. */
export interface ActivePlan {
  name: PlanName
  addons: readonly string[]
}

const FREE: ActivePlan = { name: 'free', addons: [] }

/** The plan of each workspace; the free one where nothing is bought or what was bought has ended. */
export async function activePlans(
  database: Queryable,
  teamIds: readonly string[],
): Promise<(teamId: string) => ActivePlan> {
  const rows = await database
    .select({ teamId: subscriptions.teamId, plan: subscriptions.plan, addons: subscriptions.addons })
    .from(subscriptions)
    .where(and(inArray(subscriptions.teamId, [...teamIds]), inArray(subscriptions.status, ['active', 'trialing'])))
    .orderBy(desc(subscriptions.insertedAt))
  const found = new Map<string, ActivePlan>()
  for (const { teamId, plan, addons } of rows.toReversed()) {
    found.set(teamId, { name: planNames.find((name) => name === plan) ?? 'free', addons })
  }
  return (teamId) => found.get(teamId) ?? FREE
}

/** Credits that each workspace has used since the month began. */
export async function usedCredits(
  database: Queryable,
  teamIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const monthBegan = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const rows = await database
    .select({
      teamId: creditEntries.teamId,
      used: sql<number>`coalesce(-sum(${creditEntries.amount}), 0)::int`,
    })
    .from(creditEntries)
    .where(
      and(
        inArray(creditEntries.teamId, [...teamIds]),
        lt(creditEntries.amount, 0),
        sql`${creditEntries.insertedAt} >= ${monthBegan.toISOString()}`,
      ),
    )
    .groupBy(creditEntries.teamId)
  return new Map(rows.map(({ teamId, used }) => [teamId, used]))
}

/** Whether a workspace ever had a subscription: whoever had one is not offered a trial again. */
export async function hadSubscription(database: Queryable, teamIds: readonly string[]): Promise<boolean> {
  if (teamIds.length === 0) return false
  const rows = await database
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(inArray(subscriptions.teamId, [...teamIds]))
    .limit(1)
  return rows.length > 0
}
