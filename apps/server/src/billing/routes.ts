import { addonCredits, plans } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import { addonPrices, planPrices } from './prices.ts'
import { renewSubscriptions } from './renewSubscriptions.ts'
import { orderOf, placeOrder } from './subscriptions.ts'

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

/** Prices, and how a plan is taken. On this server's own ledger a plan costs nothing, so an order is placed at once. */
export function registerBilling(app: App, { configuration, database, log }: ServerContext): void {
  const { appOrigin } = configuration
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
  for (const path of ['/api/prices', '/api/v1/prices']) app.get(path, async () => prices)

  for (const path of ['/api/checkout', '/api/v1/checkout']) {
    app.post(path, { onRequest: app.authenticate.required, schema: { body: checkoutBody } }, async (request) => {
      const user = userOf(request)
      const { team_id: teamId, plan, addons, success_path: success } = request.body
      const interval = request.body.billing_interval ?? request.body.recurring_interval ?? 'monthly'
      const order = orderOf({ plan, addons, billingInterval: /^year/i.test(interval) ? 'yearly' : 'monthly' })
      await inTransaction(database, user, (work) => placeOrder(work, user, teamId, order, new Date()))
      return { stripe_checkout_url: `${appOrigin}${success}` }
    })
  }

  app.get(
    '/api/v1/teams/:teamId/customer_portal',
    {
      onRequest: app.authenticate.required,
      schema: {
        params: z.object({ teamId: z.uuid() }),
        querystring: z.object({ return_path: sameSitePath.optional(), return_url: z.string().max(1000).optional() }),
      },
    },
    async (request) => {
      const { teamId } = request.params
      await authorizeTeam(database, teamId, userOf(request), 'seeBilling')
      return { stripe_customer_portal_url: `${appOrigin}/t/billing?workspace=${teamId}` }
    },
  )
}
