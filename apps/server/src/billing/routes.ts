import { addonCredits, machineTiers, plans, tierNames } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import { addonPrices, planPrices } from './prices.ts'
import { renewSubscriptions } from './renewSubscriptions.ts'
import { ensureCustomer, findCustomer } from './billingCustomers.ts'
import { registerPayments } from './paymentRoutes.ts'
import { orderOf, placeOrder, subscriptionsOf } from './subscriptions.ts'

const HOUR_MS = 3_600_000

const sameSitePath = z
  .string()
  .max(1000)
  .regex(/^\/(?![/\\])/, 'This is no path of this site.')

const checkoutBody = z.object({
  success_path: sameSitePath,
  cancel_path: sameSitePath,
  team_id: z.uuid(),
  plan: z.string().max(40).default('flex'),
  billing_interval: z.enum(['MONTHLY', 'YEARLY', 'monthly', 'yearly', 'month', 'year']).optional(),
  recurring_interval: z.enum(['month', 'year']).optional(),
  addons: z.array(z.string().max(40)).max(20).default([]),
})

const vmTier = z.object({
  name: z.string(),
  shortid: z.string(),
  cpu: z.number(),
  memory: z.number(),
  storage: z.number(),
  credit_basis: z.number(),
  tier: z.int(),
})
const cost = { cost_month: z.number(), cost_year: z.number(), credits: z.number(), sandboxes: z.number() }
const plan = z.object({
  ...cost,
  drafts: z.number(),
  members: z.number(),
  storage: z.number(),
  vm_tier: z.number(),
})
/** Its keys are what it calls things. */
const pricesSchema = z.object({
  addons: z.record(z.string(), z.object(cost)),
  base: z.record(z.string(), plan),
})

/** Credits that a machine uses in an hour, for each of its processors. */
const CREDITS_PER_CPU = 5

/** Prices, and how a plan is taken. On this server's own ledger a plan costs nothing, so an order is placed at once. */
export function registerBilling(app: App, context: ServerContext): void {
  const { configuration, database, log, payments } = context
  const { appOrigin } = configuration
  registerPayments(app, context)
  let timer: NodeJS.Timeout | undefined
  const renew = () =>
    renewSubscriptions(database, new Date()).catch((error: unknown) => {
      log.error({ err: error }, 'subscriptions were not renewed; tried again in an hour')
    })
  app.addHook('onListen', async () => {
    await renew()
    timer = setInterval(() => void renew(), HOUR_MS)
  })
  app.addHook('preClose', async () => clearInterval(timer))

  const prices = {
    addons: Object.fromEntries(
      Object.entries(addonPrices).map(([id, { month, year }]) => [
        id,
        { credits: addonCredits[id] ?? 0, cost_month: month, cost_year: year, sandboxes: 0 },
      ]),
    ),
    base: Object.fromEntries(
      (['flex', 'builder'] as const).map((plan) => [
        plan,
        {
          cost_month: planPrices[plan].month,
          cost_year: planPrices[plan].year,
          credits: plans[plan].includedCredits,
          drafts: plans[plan].includedDrafts,
          members: plans[plan].includedMembers,
          sandboxes: plans[plan].includedSandboxes,
          storage: plans[plan].includedStorage,
          vm_tier: plans[plan].includedVmTier,
        },
      ]),
    ),
  }
  const vmTiers = tierNames.map((name, at) => {
    const { cpu, memory, storage } = machineTiers[name]
    const tier = { name, shortid: name.toLowerCase(), cpu, memory, storage }
    return { ...tier, credit_basis: cpu * CREDITS_PER_CPU, tier: at + 1 }
  })
  for (const path of ['/api/vm_tiers', '/api/v1/vm_tiers']) {
    app.get(path, { schema: { response: { 200: z.object({ vm_tiers: z.array(vmTier) }) } } }, async () => ({
      vm_tiers: vmTiers,
    }))
  }
  for (const path of ['/api/prices', '/api/v1/prices']) {
    app.get(path, { schema: { response: { 200: pricesSchema } } }, async () => prices)
  }

  for (const path of ['/api/checkout', '/api/v1/checkout']) {
    const response = { 200: z.object({ stripe_checkout_url: z.string() }) }
    app.post(
      path,
      { onRequest: app.authenticate.required, schema: { body: checkoutBody, response } },
      async (request) => {
        const user = userOf(request)
        const { team_id: teamId, plan, addons, success_path: success } = request.body
        const interval = request.body.billing_interval ?? request.body.recurring_interval ?? 'monthly'
        const order = orderOf({ plan, addons, billingInterval: /^year/i.test(interval) ? 'yearly' : 'monthly' })
        const { team } = await authorizeTeam(database, teamId, user, 'changeBilling')
        const [before] = await subscriptionsOf(database, [teamId], { includeCancelled: false })
        if (payments && !before && order.plan !== 'free') {
          const customer = await ensureCustomer(database, payments, team, user)
          const [successUrl, cancelUrl] = [`${appOrigin}${success}`, `${appOrigin}${request.body.cancel_path}`]
          return { stripe_checkout_url: await payments.checkout({ customer, teamId, order, successUrl, cancelUrl }) }
        }
        await inTransaction(database, user, (work) =>
          placeOrder(work, user, teamId, order, { now: new Date(), payments }),
        )
        return { stripe_checkout_url: `${appOrigin}${success}` }
      },
    )
  }

  app.get(
    '/api/v1/teams/:teamId/customer_portal',
    {
      onRequest: app.authenticate.required,
      schema: {
        params: z.object({ teamId: z.uuid() }),
        querystring: z.object({ return_path: sameSitePath.optional(), return_url: z.string().max(1000).optional() }),
        response: { 200: z.object({ stripe_customer_portal_url: z.string() }) },
      },
    },
    async (request) => {
      const { teamId } = request.params
      await authorizeTeam(database, teamId, userOf(request), 'seeBilling')
      const customer = payments && (await findCustomer(database, teamId))
      if (payments && customer !== null) {
        const back = `${appOrigin}${request.query.return_path ?? `/t/billing?workspace=${teamId}`}`
        return { stripe_customer_portal_url: await payments.portal(customer, back) }
      }
      return { stripe_customer_portal_url: `${appOrigin}/t/billing?workspace=${teamId}` }
    },
  )
}
