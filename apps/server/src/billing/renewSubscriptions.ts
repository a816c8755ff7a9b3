import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { subscriptions } from '../database/schema.ts'
import { createWork } from '../outbox/unitOfWork.ts'
import { addCredits, changeSubscription, nextBill, totalOf } from './subscriptions.ts'
import { isSoldPlan } from './prices.ts'

const running = ['active', 'trialing'] as const

/**
 * Begins the next period of each subscription whose bill is due: what was cancelled ends, what was ordered for then takes effect.
 * Several servers share the work. Returns how many were due.
 */
export async function renewSubscriptions(database: Database, now: Date): Promise<number> {
  let count = 0
  while (await renewNext(database, now)) count += 1
  return count
}

async function renewNext(database: Database, now: Date): Promise<boolean> {
  return database.transaction(async (tx) => {
    const [due] = await tx
      .select()
      .from(subscriptions)
      .where(
        and(
          eq(subscriptions.provider, 'local'),
          inArray(subscriptions.status, [...running]),
          lte(subscriptions.nextBillDate, now),
        ),
      )
      .orderBy(asc(subscriptions.nextBillDate))
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return false
    const work = createWork(tx, null)
    const began = due.nextBillDate!
    if (due.cancelAtPeriodEnd) {
      await changeSubscription(work, due, { status: 'cancelled', nextBillDate: null, upcoming: null })
      return true
    }
    const plan = due.upcoming?.plan ?? due.plan
    const addons = due.upcoming?.addons ?? due.addons
    const billingInterval = due.upcoming?.billingInterval ?? due.billingInterval
    const renewed = await changeSubscription(work, due, {
      plan,
      addons,
      billingInterval,
      upcoming: null,
      status: 'active',
      nextBillDate: nextBill(began, billingInterval),
      ...(isSoldPlan(plan) ? { unitPrice: totalOf({ plan, addons, billingInterval }) } : {}),
    })
    await addCredits(work, renewed, began)
    return true
  })
}
