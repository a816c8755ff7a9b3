import { addonCredits, plans } from '@boxyard/api'
import type { PlanLimits } from '@boxyard/api'
import { activePlans } from '../billing/activePlans.ts'
import type { ActivePlan } from '../billing/activePlans.ts'
import type { Queryable } from '../database/database.ts'

/** What a workspace may have, its add-ons included. */
export function limitsOf({ name, addons }: ActivePlan): PlanLimits {
  const plan = plans[name]
  const credits = addons.reduce((sum, addon) => sum + (addonCredits[addon] ?? 0), 0)
  return { ...plan, includedCredits: plan.includedCredits + credits }
}

export async function teamLimits(database: Queryable, teamId: string): Promise<PlanLimits> {
  return limitsOf((await activePlans(database, [teamId]))(teamId))
}
