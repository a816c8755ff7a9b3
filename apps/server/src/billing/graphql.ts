import type { Builder } from '../graphql/builder.ts'
import { defineListLoader } from '../graphql/loader.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { defineBillingMutations } from './graphqlMutations.ts'
import { isSoldPlan } from './prices.ts'
import { phaseOf, subscriptionsOf } from './subscriptions.ts'

const runningLoader = defineListLoader(
  ({ database }, teamIds) => subscriptionsOf(database, teamIds, { includeCancelled: false }),
  ({ teamId }) => teamId,
)
const lastLoader = defineListLoader(
  ({ database }, teamIds) => subscriptionsOf(database, teamIds, { includeCancelled: true }),
  ({ teamId }) => teamId,
)

/** What the query API says about billing. */
export function defineBilling(builder: Builder, types: GraphqlTypes): void {
  types.proSubscription.implement({
    fields: (t) => ({
      active: t.boolean({
        nullable: false,
        resolve: ({ status }) => status === 'active' || status === 'trialing',
      }),
      billingInterval: t.expose('billingInterval', { type: types.subscriptionInterval, nullable: true }),
      cancelAt: t.expose('cancelAt', { type: 'DateTime', nullable: true }),
      cancelAtPeriodEnd: t.expose('cancelAtPeriodEnd', { type: 'Boolean', nullable: false }),
      currency: t.expose('currency', { type: 'String', nullable: true }),
      id: t.expose('id', { type: 'UUID4', nullable: true }),
      nextBillDate: t.expose('nextBillDate', { type: 'DateTime', nullable: true }),
      origin: t.expose('origin', { type: types.subscriptionOrigin, nullable: true }),
      paymentMethodAttached: t.expose('paymentMethodAttached', { type: 'Boolean', nullable: false }),
      // The ledger of this server is no provider that clients know.
      paymentProvider: t.field({
        type: types.subscriptionPaymentProvider,
        nullable: true,
        resolve: ({ provider }) => (provider === 'stripe' ? ('stripe' as const) : null),
      }),
      quantity: t.expose('quantity', { type: 'Int', nullable: true }),
      status: t.expose('status', { type: types.subscriptionStatus, nullable: false }),
      trialEnd: t.expose('trialEnd', { type: 'DateTime', nullable: true }),
      trialStart: t.expose('trialStart', { type: 'DateTime', nullable: true }),
      type: t.expose('type', { type: types.subscriptionType, nullable: false }),
      unitPrice: t.expose('unitPrice', { type: 'Int', nullable: true }),
      // On the server's own ledger nothing is paid, so there is no page to change how.
      updateBillingUrl: t.string({
        nullable: true,
        resolve: ({ provider, teamId }, _args, { server }) =>
          provider === 'stripe' ? `${server.configuration.appOrigin}/t/billing?workspace=${teamId}` : null,
      }),
    }),
  })

  types.subscriptionSchedule.implement({
    fields: (t) => ({
      billingInterval: t.expose('billingInterval', { type: types.subscriptionInterval, nullable: true }),
      current: t.expose('current', { type: types.subscriptionSchedulePhase, nullable: true }),
      upcoming: t.expose('upcoming', { type: types.subscriptionSchedulePhase, nullable: true }),
    }),
  })

  types.subscriptionSchedulePhase.implement({
    fields: (t) => ({
      endDate: t.expose('endDate', { type: 'String', nullable: true }),
      items: t.expose('items', { type: [types.subscriptionItem], nullable: false }),
      startDate: t.expose('startDate', { type: 'String', nullable: true }),
    }),
  })

  types.subscriptionItem.implement({
    fields: (t) => ({
      name: t.expose('name', { type: 'String', nullable: false }),
      quantity: t.expose('quantity', { type: 'Int', nullable: true }),
      unitAmount: t.expose('unitAmount', { type: 'Int', nullable: true }),
      unitAmountDecimal: t.expose('unitAmountDecimal', { type: 'String', nullable: true }),
    }),
  })

  types.invoicePreview.implement({
    fields: (t) => ({
      total: t.expose('total', { type: 'Int', nullable: false }),
      totalExcludingTax: t.expose('totalExcludingTax', { type: 'Int', nullable: true }),
      updateMoment: t.expose('updateMoment', { type: types.subscriptionUpdateMoment, nullable: true }),
    }),
  })

  types.billingPreview.implement({
    fields: (t) => ({
      immediatePayment: t.expose('immediatePayment', { type: types.billingDetails, nullable: true }),
      nextPayment: t.expose('nextPayment', { type: types.billingDetails, nullable: true }),
    }),
  })

  types.billingDetails.implement({
    fields: (t) => ({
      amount: t.expose('amount', { type: 'Int', nullable: false }),
      currency: t.expose('currency', { type: 'String', nullable: false }),
      date: t.expose('date', { type: 'String', nullable: false }),
    }),
  })

  types.teamSubscriptionEvent.implement({
    fields: (t) => ({
      event: t.expose('event', { type: 'String', nullable: false }),
      subscription: t.expose('subscription', { type: types.proSubscription, nullable: false }),
      teamId: t.expose('teamId', { type: 'ID', nullable: false }),
    }),
  })

  builder.objectFields(types.team, (t) => ({
    subscription: t.field({
      type: types.proSubscription,
      nullable: true,
      args: { includeCancelled: t.arg.boolean({ defaultValue: false }) },
      resolve: async ({ id }, { includeCancelled }, context) =>
        (await (includeCancelled ? lastLoader : runningLoader)(context).load(id))[0] ?? null,
    }),
    subscriptionSchedule: t.field({
      type: types.subscriptionSchedule,
      nullable: true,
      resolve: async ({ id }, _args, context) => {
        const [subscription] = await runningLoader(context).load(id)
        if (!subscription || !isSoldPlan(subscription.plan)) return null
        const { plan, addons, billingInterval, insertedAt, nextBillDate, upcoming } = subscription
        const current = phaseOf({ plan, addons, billingInterval }, insertedAt)
        return { billingInterval, current: { ...current, endDate: nextBillDate?.toISOString() ?? null }, upcoming }
      },
    }),
  }))

  defineBillingMutations(builder, types)
}
