import { addonCredits, ApiError, planOf } from '@boxyard/api'
import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import { creditEntries, subscriptions } from '../database/schema.ts'
import type { StoredPhase } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import { changeTeamSettings } from '../workspaces/changeTeam.ts'
import type { InvoicePreviewShape, ProSubscriptionRow, SubscriptionIntervalValue } from './graphqlTypes.ts'
import { addonPrices, CURRENCY, isSoldPlan, planPrices } from './prices.ts'
import type { SoldPlan } from './prices.ts'
import type { StripePayments } from './stripePayments.ts'

/** What a workspace is to have. */
export interface Order {
  plan: SoldPlan
  billingInterval: SubscriptionIntervalValue
  addons: readonly string[]
}

const running = ['active', 'trialing', 'unpaid', 'paused', 'incomplete'] as const

/** The subscription of each workspace: the one that runs, or with `includeCancelled` the last one. */
export async function subscriptionsOf(
  database: Queryable,
  teamIds: readonly string[],
  { includeCancelled }: { includeCancelled: boolean },
): Promise<ProSubscriptionRow[]> {
  return database
    .selectDistinctOn([subscriptions.teamId])
    .from(subscriptions)
    .where(
      and(
        inArray(subscriptions.teamId, [...teamIds]),
        includeCancelled ? undefined : inArray(subscriptions.status, [...running]),
      ),
    )
    .orderBy(subscriptions.teamId, desc(subscriptions.insertedAt))
}

/** Checks a plan and add-ons that someone named. */
export function orderOf(input: {
  plan: string
  billingInterval?: SubscriptionIntervalValue | null | undefined
  addons: readonly string[]
}): Order {
  const { plan, billingInterval, addons } = input
  if (!isSoldPlan(plan)) throw new ApiError('INVALID_INPUT', { detail: `There is no plan ${plan.slice(0, 40)}` })
  const unknown = addons.find((addon) => !Object.hasOwn(addonPrices, addon))
  if (unknown !== undefined)
    throw new ApiError('INVALID_INPUT', { detail: `There is no add-on ${unknown.slice(0, 40)}` })
  if (plan === 'free' && addons.length > 0) {
    throw new ApiError('INVALID_INPUT', { detail: 'Add-ons need a plan that is paid for' })
  }
  return { plan, billingInterval: billingInterval ?? 'monthly', addons }
}

/** What an order costs each time it is billed. */
export function totalOf({ plan, billingInterval, addons }: Order): number {
  const unit = billingInterval === 'monthly' ? 'month' : 'year'
  return planPrices[plan][unit] + addons.reduce((sum, addon) => sum + addonPrices[addon]![unit], 0)
}

/** When a change takes effect: at once when it gives more, at the next bill when it gives less. */
export function isMore(
  before: Pick<ProSubscriptionRow, 'plan' | 'addons' | 'billingInterval'> | null,
  order: Order,
): boolean {
  if (!before || !isSoldPlan(before.plan)) return true
  const monthly = { billingInterval: 'monthly' as const }
  return totalOf({ ...order, ...monthly }) >= totalOf({ plan: before.plan, addons: before.addons, ...monthly })
}

/** What an order would cost, without placing it. */
export async function previewOrder(
  database: Queryable,
  user: User,
  teamId: string,
  order: Order,
): Promise<InvoicePreviewShape> {
  await authorizeTeam(database, teamId, user, 'seeBilling')
  const [before] = await subscriptionsOf(database, [teamId], { includeCancelled: false })
  const total = totalOf(order)
  return {
    total,
    totalExcludingTax: total,
    updateMoment: isMore(before ?? null, order) ? 'immediately' : 'next_bill_date',
  }
}

/** Gives a workspace what it orders. The ledger gets the credits of a period once. */
export async function placeOrder(
  work: Work,
  user: User,
  teamId: string,
  order: Order,
  { now, payments }: { now: Date; payments: StripePayments | null },
): Promise<void> {
  const { team } = await authorizeTeam(work.tx, teamId, user, 'changeBilling', { lock: true })
  const [before] = await subscriptionsOf(work.tx, [teamId], { includeCancelled: false })
  await work.audit('subscription.ordered', { teamId, detail: { ...order } })
  if (!before) {
    if (order.plan === 'free') return
    if (payments) throw new ApiError('PAYMENT_NEEDED')
    const [created] = await work.tx
      .insert(subscriptions)
      .values({
        id: randomUUID(),
        teamId,
        type: team.kind === 'personal' ? 'personal_pro' : 'team_pro',
        plan: order.plan,
        addons: [...order.addons],
        status: 'active',
        provider: 'local',
        billingInterval: order.billingInterval,
        currency: CURRENCY,
        unitPrice: totalOf(order),
        nextBillDate: nextBill(now, order.billingInterval),
      })
      .returning()
    await addCredits(work, created!, now)
    await publishSubscription(work, created!, 'created')
    return
  }
  if (order.plan === 'free') return void (await cancelAtEnd(work, before, payments))
  const reference = atStripe(before)
  if (reference !== null) await required(payments).change(reference, teamId, order, { now: isMore(before, order) })
  const changed = isMore(before, order)
    ? await changeSubscription(work, before, {
        plan: order.plan,
        addons: [...order.addons],
        billingInterval: order.billingInterval,
        unitPrice: totalOf(order),
        cancelAt: null,
        cancelAtPeriodEnd: false,
        upcoming: null,
      })
    : await changeSubscription(work, before, { upcoming: phaseOf(order, before.nextBillDate ?? now) })
  await addCredits(work, changed, now)
}

/** A subscription of this workspace, when the user may change it. */
export async function ownSubscription(
  work: Work,
  user: User,
  { teamId, subscriptionId }: { teamId: string; subscriptionId: string },
): Promise<ProSubscriptionRow> {
  await authorizeTeam(work.tx, teamId, user, 'changeBilling', { lock: true })
  const [found] = await work.tx
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.id, subscriptionId),
        eq(subscriptions.teamId, teamId),
        ne(subscriptions.status, 'cancelled'),
      ),
    )
  if (!found) throw new ApiError('NOT_FOUND', { detail: 'This subscription is not found, or it has ended' })
  return found
}

/** What is paid for stays until the end of its period. */
export async function cancelAtEnd(
  work: Work,
  subscription: ProSubscriptionRow,
  payments: StripePayments | null,
): Promise<ProSubscriptionRow> {
  const reference = atStripe(subscription)
  if (reference !== null) await required(payments).setCancelled(reference, true)
  return changeSubscription(work, subscription, { cancelAtPeriodEnd: true, cancelAt: subscription.nextBillDate })
}

export async function reactivate(
  work: Work,
  subscription: ProSubscriptionRow,
  payments: StripePayments | null,
): Promise<ProSubscriptionRow> {
  const reference = atStripe(subscription)
  if (reference !== null) await required(payments).setCancelled(reference, false)
  return changeSubscription(work, subscription, { cancelAtPeriodEnd: false, cancelAt: null })
}

/** The id of a subscription that is paid for at Stripe. What the ledger keeps has none. */
function atStripe({ provider, reference }: ProSubscriptionRow): string | null {
  return provider === 'stripe' ? reference : null
}

/** Throws when a subscription is paid for at Stripe and the key of Stripe is gone from the settings. */
function required(payments: StripePayments | null): StripePayments {
  if (!payments) throw new ApiError('NOT_SET_UP', { detail: 'This server has no key of Stripe any more' })
  return payments
}

export async function changeSubscription(
  work: Work,
  { id }: ProSubscriptionRow,
  change: Partial<typeof subscriptions.$inferInsert>,
): Promise<ProSubscriptionRow> {
  const [changed] = await work.tx
    .update(subscriptions)
    .set({ ...change, updatedAt: new Date() })
    .where(eq(subscriptions.id, id))
    .returning()
  await publishSubscription(work, changed!, changed!.status === 'cancelled' ? 'cancelled' : 'updated')
  return changed!
}

export async function publishSubscription(
  work: Work,
  { teamId, id }: ProSubscriptionRow,
  event: string,
): Promise<void> {
  await work.publish('teamEvents', { teamId, subscriptionId: id, event: `subscription_${event}` })
}

/** Enters the credits of the period that runs, of the plan and of each add-on. Entering them again changes nothing. */
export async function addCredits(work: Work, { teamId, plan, addons }: ProSubscriptionRow, now: Date): Promise<void> {
  const period = now.toISOString().slice(0, 7)
  const entries = [
    { kind: 'included', amount: planOf(plan).includedCredits, reference: `${period}:${plan}` },
    ...addons.map((addon) => ({ kind: 'addon', amount: addonCredits[addon] ?? 0, reference: `${period}:${addon}` })),
  ]
  await work.tx
    .insert(creditEntries)
    .values(entries.map((entry) => ({ id: randomUUID(), teamId, ...entry })))
    .onConflictDoNothing()
}

export function phaseOf({ plan, billingInterval, addons }: Order, start: Date): StoredPhase {
  const unit = billingInterval === 'monthly' ? 'month' : 'year'
  const item = (name: string, unitAmount: number) => ({
    name,
    quantity: 1,
    unitAmount,
    unitAmountDecimal: String(unitAmount),
  })
  return {
    startDate: start.toISOString(),
    endDate: null,
    items: [item(plan, planPrices[plan][unit]), ...addons.map((addon) => item(addon, addonPrices[addon]![unit]))],
    plan,
    billingInterval,
    addons: [...addons],
  }
}

/** The same day of the next month or year; the last day of a month that has no such day. */
export function nextBill(from: Date, interval: SubscriptionIntervalValue): Date {
  const months = interval === 'monthly' ? 1 : 12
  const next = new Date(from)
  next.setUTCMonth(next.getUTCMonth() + months)
  if (next.getUTCDate() !== from.getUTCDate()) next.setUTCDate(0)
  return next
}

export async function joinUsageBilling(work: Work, user: User, teamId: string): Promise<void> {
  const { team } = await authorizeTeam(work.tx, teamId, user, 'changeBilling', { lock: true })
  await changeTeamSettings(work, team, { usageBillingBeta: true })
}
