import { ApiError } from '@boxyard/api'
import type { Builder } from '../graphql/builder.ts'
import type { GraphqlContext } from '../graphql/graphqlContext.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import type { ProSubscriptionRow, SubscriptionIntervalValue } from './graphqlTypes.ts'
import { CURRENCY, isSoldPlan } from './prices.ts'
import {
  cancelAtEnd,
  changeSubscription,
  joinUsageBilling,
  orderOf,
  ownSubscription,
  placeOrder,
  previewOrder,
  reactivate,
  subscriptionsOf,
  totalOf,
} from './subscriptions.ts'

/** What people can do about the bill of a workspace. */
export function defineBillingMutations(builder: Builder, types: GraphqlTypes): void {
  builder.mutationFields((t) => {
    const teamId = t.arg({ type: 'UUID4', required: true })
    const subscriptionArgs = { subscriptionId: t.arg({ type: 'UUID4', required: true }), teamId }
    const billingInterval = t.arg({ type: types.subscriptionInterval })
    const orderArgs = {
      addons: t.arg.stringList({ required: true }),
      billingInterval,
      plan: t.arg.string({ required: true }),
      teamId,
    }
    const requiredInterval = t.arg({ type: types.subscriptionInterval, required: true })
    const changing = (action: string, change: typeof cancelAtEnd) =>
      t.field({
        type: types.proSubscription,
        nullable: false,
        args: subscriptionArgs,
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          return inTransaction(context.database, user, async (work) => {
            const subscription = await ownSubscription(work, user, args)
            await work.audit(action, { teamId: args.teamId })
            return change(work, subscription, context.server.payments)
          })
        },
      })
    return {
      convertToUsageBilling: t.boolean({
        nullable: false,
        args: orderArgs,
        resolve: (_root, args, context) => place(context, args.teamId, () => orderOf(args)),
      }),
      previewConvertToUsageBilling: t.field({
        type: types.invoicePreview,
        nullable: false,
        args: orderArgs,
        resolve: (_root, args, context) =>
          previewOrder(context.database, requireUser(context), args.teamId, orderOf(args)),
      }),
      updateUsageSubscription: t.boolean({
        nullable: false,
        args: { addons: t.arg.stringList({ required: true }), teamId },
        resolve: (_root, { addons, teamId: id }, context) =>
          place(context, id, (before) => orderOf({ ...present(before), addons })),
      }),
      updateUsageSubscriptionPlan: t.boolean({
        nullable: false,
        args: { billingInterval, plan: t.arg.string(), teamId },
        resolve: (_root, args, context) => place(context, args.teamId, (before) => changedOrder(before, args)),
      }),
      previewUpdateUsageSubscriptionPlan: t.field({
        type: types.invoicePreview,
        nullable: false,
        args: { billingInterval, plan: t.arg.string(), teamId },
        resolve: async (_root, args, context) => {
          const user = requireUser(context)
          await authorizeTeam(context.database, args.teamId, user, 'seeBilling')
          const [before] = await subscriptionsOf(context.database, [args.teamId], { includeCancelled: false })
          return previewOrder(context.database, user, args.teamId, changedOrder(before ?? null, args))
        },
      }),
      joinUsageBillingBeta: t.boolean({
        nullable: false,
        args: { teamId },
        resolve: async (_root, args, context) => {
          const user = requireUser(context)
          await inTransaction(context.database, user, (work) => joinUsageBilling(work, user, args.teamId))
          return true
        },
      }),
      softCancelSubscription: changing('subscription.cancelled', cancelAtEnd),
      reactivateSubscription: changing('subscription.reactivated', reactivate),
      updateSubscription: t.field({
        type: types.proSubscription,
        nullable: false,
        deprecationReason: 'No longer supported',
        args: { quantity: t.arg.int(), ...subscriptionArgs },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          const { quantity } = args
          if (quantity != null && (quantity < 1 || quantity > 10_000)) {
            throw new ApiError('INVALID_INPUT', { detail: 'The quantity is a number from 1 to 10000' })
          }
          return inTransaction(context.database, user, async (work) => {
            const subscription = await ownSubscription(work, user, args)
            if (quantity == null) return subscription
            if (subscription.provider === 'stripe') {
              throw new ApiError('INVALID_INPUT', { detail: 'A plan is for the whole workspace. Choose a larger one' })
            }
            await work.audit('subscription.quantityChanged', { teamId: args.teamId, detail: { quantity } })
            return changeSubscription(work, subscription, { quantity })
          })
        },
      }),
      updateSubscriptionBillingInterval: t.field({
        type: types.proSubscription,
        nullable: false,
        deprecationReason: 'No longer supported',
        args: { billingInterval: requiredInterval, ...subscriptionArgs },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          return inTransaction(context.database, user, async (work) => {
            const subscription = await ownSubscription(work, user, args)
            const order = changedOrder(subscription, args)
            if (subscription.provider === 'stripe') {
              const { payments } = context.server
              await placeOrder(work, user, args.teamId, order, { now: new Date(), payments })
              return ownSubscription(work, user, args)
            }
            const unitPrice = totalOf(order)
            await work.audit('subscription.intervalChanged', {
              teamId: args.teamId,
              detail: { to: args.billingInterval },
            })
            return changeSubscription(work, subscription, { billingInterval: args.billingInterval, unitPrice })
          })
        },
      }),
      previewUpdateSubscriptionBillingInterval: t.field({
        type: types.billingPreview,
        nullable: false,
        deprecationReason: 'No longer supported',
        args: { billingInterval: requiredInterval, ...subscriptionArgs },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          return inTransaction(context.database, user, async (work) => {
            const subscription = await ownSubscription(work, user, args)
            const amount = totalOf(changedOrder(subscription, args))
            const date = (subscription.nextBillDate ?? new Date()).toISOString()
            return { immediatePayment: null, nextPayment: { amount, currency: CURRENCY, date } }
          })
        },
      }),
    }
  })
}

async function place(
  context: GraphqlContext,
  teamId: string,
  orderFor: (before: ProSubscriptionRow | null) => ReturnType<typeof orderOf>,
): Promise<boolean> {
  const user = requireUser(context)
  await inTransaction(context.database, user, async (work) => {
    await authorizeTeam(work.tx, teamId, user, 'changeBilling', { lock: true })
    const [before] = await subscriptionsOf(work.tx, [teamId], { includeCancelled: false })
    await placeOrder(work, user, teamId, orderFor(before ?? null), {
      now: new Date(),
      payments: context.server.payments,
    })
  })
  return true
}

/** What a workspace has, with what someone names instead. */
function changedOrder(
  before: ProSubscriptionRow | null,
  change: { plan?: string | null; billingInterval?: SubscriptionIntervalValue | null },
) {
  const plan = change.plan ?? before?.plan ?? 'free'
  const addons = isSoldPlan(plan) && plan !== 'free' ? (before?.addons ?? []) : []
  return orderOf({ plan, billingInterval: change.billingInterval ?? before?.billingInterval, addons })
}

function present(subscription: ProSubscriptionRow | null): ProSubscriptionRow {
  if (!subscription) throw new ApiError('NOT_FOUND', { detail: 'This workspace has no subscription' })
  return subscription
}
