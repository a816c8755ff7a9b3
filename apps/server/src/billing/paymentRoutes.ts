import { ApiError, currentUserSchema, dataOf } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import { describeCurrentUser } from '../accounts/describeCurrentUser.ts'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import { personalTeamId } from '../workspaces/teams.ts'
import { ensureCustomer, findCustomer } from './billingCustomers.ts'
import type { StripePayments } from './stripePayments.ts'
import { cancelAtEnd, orderOf, placeOrder, subscriptionsOf } from './subscriptions.ts'
import type { Order } from './subscriptions.ts'
import { syncStripe } from './syncStripe.ts'

export const STRIPE_WEBHOOK_PATH = '/api/v1/billing/stripe/webhook'

const cardToken = z.string().regex(/^(?:tok|pm)_\w{1,200}$/, 'This is no card of the payment provider.')
const detailsSchema = z.object({
  brand: z.string(),
  exp_month: z.number().int(),
  exp_year: z.number().int(),
  last4: z.string(),
  name: z.string().nullable(),
})
const subscriptionBody = z.object({
  subscription: z.object({
    /** Older clients let people choose one. The price is what it is. */
    amount: z.number().optional(),
    coupon: z.string().max(100).nullish(),
    token: cardToken.nullish(),
    duration: z.enum(['monthly', 'yearly']).default('monthly'),
  }),
})
const answered = { 200: dataOf(currentUserSchema) }

/** The plan and the card of somebody's personal workspace, and what Stripe tells about subscriptions. */
export function registerPayments(app: App, context: ServerContext): void {
  const { database, payments, log } = context
  const onRequest = app.authenticate.required

  function provider(): StripePayments {
    if (payments) return payments
    throw new ApiError('NOT_SET_UP', {
      detail: "Plans are kept on this server's own ledger and cost nothing, so no card is needed",
    })
  }

  /** Who the personal workspace of someone is at Stripe, with this card when one is given. */
  async function customerWith(user: User, token: string | null): Promise<string> {
    const { team } = await authorizeTeam(database, await personalTeamId(database, user.id), user, 'changeBilling')
    const customer = await ensureCustomer(database, provider(), team, user)
    if (token === null) return customer
    await provider().setCard(customer, token)
    await inTransaction(database, user, (work) => work.audit('payment.cardChanged', { teamId: team.id }))
    return customer
  }

  async function subscribe(user: User, order: Order, token: string | null): Promise<void> {
    const teamId = await personalTeamId(database, user.id)
    const [before] = await subscriptionsOf(database, [teamId], { includeCancelled: false })
    if (payments && !before) {
      const customer = await customerWith(user, token)
      const reference = await payments.subscribe(customer, teamId, order)
      await syncStripe(database, await payments.subscription(reference), new Date())
      return
    }
    if (payments && token !== null) await customerWith(user, token)
    await inTransaction(database, user, (work) => placeOrder(work, user, teamId, order, { now: new Date(), payments }))
  }

  for (const current of ['/api/v1/users/current', '/api/v1/users/current_user']) {
    for (const method of ['POST', 'PATCH'] as const) {
      app.route({
        method,
        url: `${current}/subscription`,
        onRequest,
        schema: { body: subscriptionBody, response: answered },
        handler: async (request, reply) => {
          const user = userOf(request)
          const { coupon, token, duration } = request.body.subscription
          if (coupon) throw new ApiError('INVALID_INPUT', { fields: { coupon: ['This coupon is not known here.'] } })
          await subscribe(user, orderOf({ plan: 'flex', billingInterval: duration, addons: [] }), token ?? null)
          reply.header('cache-control', 'no-store')
          return { data: await describeCurrentUser(context, user) }
        },
      })
    }

    app.delete(`${current}/subscription`, { onRequest, schema: { response: answered } }, async (request, reply) => {
      const user = userOf(request)
      await inTransaction(database, user, async (work) => {
        const teamId = await personalTeamId(work.tx, user.id)
        await authorizeTeam(work.tx, teamId, user, 'changeBilling', { lock: true })
        const [subscription] = await subscriptionsOf(work.tx, [teamId], { includeCancelled: false })
        if (!subscription) throw new ApiError('NOT_FOUND', { detail: 'There is no subscription to cancel' })
        await work.audit('subscription.cancelled', { teamId })
        await cancelAtEnd(work, subscription, payments)
      })
      reply.header('cache-control', 'no-store')
      return { data: await describeCurrentUser(context, user) }
    })

    app.get(
      `${current}/payment_details`,
      { onRequest, schema: { response: { 200: dataOf(detailsSchema) } } },
      async (request, reply) => {
        const teamId = await personalTeamId(database, userOf(request).id)
        const stripe = provider()
        const customer = await findCustomer(database, teamId)
        const details = customer === null ? null : await stripe.details(customer)
        if (!details) throw new ApiError('NOT_FOUND', { detail: 'There is no card yet' })
        reply.header('cache-control', 'no-store')
        return { data: details }
      },
    )

    app.patch(
      `${current}/payment_details`,
      {
        onRequest,
        schema: {
          body: z.object({ payment_details: z.object({ token: cardToken }) }),
          response: { 200: dataOf(detailsSchema) },
        },
      },
      async (request, reply) => {
        const customer = await customerWith(userOf(request), request.body.payment_details.token)
        const details = await provider().details(customer)
        if (!details) throw new ApiError('NOT_FOUND', { detail: 'There is no card yet' })
        reply.header('cache-control', 'no-store')
        return { data: details }
      },
    )
  }

  void app.register(async (scope: App) => {
    // What is signed are the bytes that came.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post(STRIPE_WEBHOOK_PATH, { schema: { hide: true } }, async (request, reply) => {
      const signature = request.headers['stripe-signature']
      const event = payments?.readEvent(request.body as Buffer, typeof signature === 'string' ? signature : '')
      if (!payments || !event) return reply.code(401).send()
      if (!event.type.startsWith('customer.subscription.')) return reply.code(204).send()
      const { id } = event.data.object as { id: string }
      const known = await syncStripe(database, await payments.subscription(id), new Date())
      log.info({ event: event.type, known }, 'heard of a subscription')
      return reply.code(204).send()
    })
  })
}
