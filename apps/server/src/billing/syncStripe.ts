import { eq } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { Database } from '../database/database.ts'
import { subscriptions, teams } from '../database/schema.ts'
import { createWork } from '../outbox/unitOfWork.ts'
import { CURRENCY } from './prices.ts'
import {
  addCredits,
  changeSubscription,
  isMore,
  orderOf,
  phaseOf,
  publishSubscription,
  totalOf,
} from './subscriptions.ts'

const statuses = {
  active: 'active',
  canceled: 'cancelled',
  incomplete: 'incomplete',
  incomplete_expired: 'incomplete_expired',
  past_due: 'unpaid',
  paused: 'paused',
  trialing: 'trialing',
  unpaid: 'unpaid',
} as const

/**
 * Makes a subscription here what it is at Stripe now. Events come late, twice and in any order, so none of them is believed: each only
 * says that it is time to look. Returns false for what is no plan of a workspace of ours.
 */
export async function syncStripe(database: Database, theirs: Stripe.Subscription, now: Date): Promise<boolean> {
  const { team_id: teamId, plan, billing_interval: interval, addons } = theirs.metadata
  if (teamId === undefined || plan === undefined) return false
  const order = orderOf({
    plan,
    billingInterval: interval === 'yearly' ? 'yearly' : 'monthly',
    addons: addons === undefined || addons === '' ? [] : addons.split(','),
  })
  return database.transaction(async (tx) => {
    const work = createWork(tx, null)
    const [team] = await tx.select().from(teams).where(eq(teams.id, teamId)).for('no key update')
    if (!team) return false
    const [before] = await tx.select().from(subscriptions).where(eq(subscriptions.reference, theirs.id))
    const periodEnd = theirs.items.data[0]?.current_period_end
    const nextBillDate = periodEnd === undefined ? null : new Date(periodEnd * 1000)
    const state = {
      status: statuses[theirs.status as keyof typeof statuses] ?? 'unknown',
      cancelAtPeriodEnd: theirs.cancel_at_period_end,
      cancelAt: theirs.cancel_at === null ? null : new Date(theirs.cancel_at * 1000),
      nextBillDate,
      paymentMethodAttached: theirs.default_payment_method !== null || theirs.status === 'active',
      trialStart: theirs.trial_start === null ? null : new Date(theirs.trial_start * 1000),
      trialEnd: theirs.trial_end === null ? null : new Date(theirs.trial_end * 1000),
    }
    const bought = {
      plan: order.plan,
      addons: [...order.addons],
      billingInterval: order.billingInterval,
      unitPrice: totalOf(order),
      upcoming: null,
    }
    if (!before) {
      const [created] = await tx
        .insert(subscriptions)
        .values({
          id: randomUUID(),
          teamId,
          type: team.kind === 'personal' ? 'personal_pro' : 'team_pro',
          provider: 'stripe',
          reference: theirs.id,
          currency: CURRENCY,
          ...state,
          ...bought,
        })
        .returning()
      await work.audit('subscription.started', { teamId, detail: { ...order, reference: theirs.id } })
      if (state.status === 'active' || state.status === 'trialing') await addCredits(work, created!, now)
      await publishSubscription(work, created!, 'created')
      return true
    }
    // What gives less is paid for until the end of the period.
    const samePeriod = before.nextBillDate?.getTime() === nextBillDate?.getTime()
    const waits = samePeriod && !isMore(before, order)
    const changed = await changeSubscription(
      work,
      before,
      waits ? { ...state, upcoming: phaseOf(order, nextBillDate ?? now) } : { ...state, ...bought },
    )
    if (before.status !== changed.status) {
      await work.audit('subscription.statusChanged', { teamId, detail: { from: before.status, to: changed.status } })
    }
    if (changed.status === 'active' || changed.status === 'trialing') await addCredits(work, changed, now)
    return true
  })
}
