import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditEntries, creditEntries, integrations, subscriptions } from '../database/schema.ts'
import { failureOf, valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { startStripeApi, STRIPE_WEBHOOK_SECRET } from '../testing/stripeApi.ts'
import type { StripeApi } from '../testing/stripeApi.ts'
import { STRIPE_WEBHOOK_PATH } from './paymentRoutes.ts'

let server: TestServer
let stripe: StripeApi
let vercel: HttpServer
let ada: TestBrowser
let grace: TestBrowser
let team: string

beforeAll(async () => {
  stripe = await startStripeApi()
  vercel = createServer((request, response) => {
    void text(request).then((sent) => {
      const answer = (status: number, body: object) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      }
      if (request.url === '/v2/user') {
        const known = request.headers.authorization === 'Bearer vercel-token'
        return answer(known ? 200 : 403, { user: { email: 'ada@vercel.test' } })
      }
      const form = new URLSearchParams(sent)
      const known = form.get('code') === 'good' && form.get('client_secret') === 'shh'
      return answer(known ? 200 : 400, known ? { access_token: 'vercel-token' } : { error: 'invalid_grant' })
    })
  })
  vercel.listen(0, '127.0.0.1')
  await once(vercel, 'listening')
  const vercelUrl = `http://127.0.0.1:${(vercel.address() as AddressInfo).port}`
  server = await startTestServer({
    STRIPE_SECRET_KEY: 'sk_test',
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_URL: stripe.url,
    VERCEL_CLIENT_ID: 'boxyard',
    VERCEL_CLIENT_SECRET: 'shh',
    VERCEL_URL: vercelUrl,
    VERCEL_API_URL: vercelUrl,
  })
  ada = await server.signedIn('ada')
  grace = await server.signedIn('grace')
  team = (await valueOf<{ personalWorkspaceId: string }>(ada, '{ me { personalWorkspaceId } }')).personalWorkspaceId
})
afterAll(async () => {
  await server.close()
  await stripe.close()
  vercel.close()
  vercel.closeAllConnections()
})

const order = { success_path: '/t/billing', cancel_path: '/upgrade', plan: 'flex', billing_interval: 'MONTHLY' }
const rowsOf = (id: string) => server.context.database.select().from(subscriptions).where(eq(subscriptions.teamId, id))

async function hear(id: string, change: Partial<{ body: string; signature: string }> = {}): Promise<number> {
  const { body, signature } = { ...stripe.event(id), ...change }
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  const answer = await server.browser().request(STRIPE_WEBHOOK_PATH, { method: 'POST', headers, body })
  return answer.status
}

describe('a plan that is paid for', () => {
  it('AP610: begins when Stripe says so, and not before', async () => {
    expect(await grace.call('POST', '/api/checkout', { ...order, team_id: team })).toMatchObject({ status: 404 })
    const checkout = await ada.call('POST', '/api/checkout', { ...order, team_id: team, addons: ['credits_500'] })
    expect(checkout).toMatchObject({ status: 200, body: { stripe_checkout_url: 'https://checkout.test/pay' } })
    expect(await rowsOf(team)).toEqual([])
    const convert = `mutation { convertToUsageBilling(teamId: "${team}", plan: "flex", addons: []) }`
    expect(await failureOf(ada, convert)).toBe('PAYMENT_NEEDED')

    const paid = stripe.pay()
    expect(await hear(paid.id, { signature: 't=1,v1=00' })).toBe(401)
    expect(await rowsOf(team)).toEqual([])
    // The same event twice, as Stripe may send it.
    expect([await hear(paid.id), await hear(paid.id)]).toEqual([204, 204])
    expect(await rowsOf(team)).toMatchObject([
      {
        plan: 'flex',
        addons: ['credits_500'],
        status: 'active',
        provider: 'stripe',
        reference: paid.id,
        unitPrice: 1650,
      },
    ])
    const credits = await server.context.database.select().from(creditEntries).where(eq(creditEntries.teamId, team))
    expect(credits.map(({ amount }) => amount).toSorted((a, b) => a - b)).toEqual([500, 1000])
    expect((await ada.call('GET', '/api/v1/users/current')).body).toMatchObject({
      data: { subscription: { plan: 'pro', duration: 'monthly', cancel_at_period_end: false, amount: 1650 } },
    })
  })

  it('AP611: changes at Stripe first; what gives less waits for the next bill', async () => {
    const [before] = await rowsOf(team)
    const plan = (name: string) =>
      valueOf(ada, `mutation { updateUsageSubscriptionPlan(teamId: "${team}", plan: "${name}") }`)
    await plan('builder')
    const upgraded = stripe.calls.findLast(({ path }) => path === `/v1/subscriptions/${before!.reference!}`)
    expect(upgraded?.body).toMatchObject({ proration_behavior: 'always_invoice', 'metadata[plan]': 'builder' })
    await hear(before!.reference!)
    expect(await rowsOf(team)).toMatchObject([{ plan: 'builder', upcoming: null }])

    await plan('flex')
    await hear(before!.reference!)
    expect(await rowsOf(team)).toMatchObject([{ plan: 'builder', upcoming: { plan: 'flex' } }])
    // The next period begins.
    for (const item of stripe.subscriptions.get(before!.reference!)!.items.data) item.current_period_end += 86_400 * 30
    await hear(before!.reference!)
    expect(await rowsOf(team)).toMatchObject([{ plan: 'flex', upcoming: null }])
  })

  it('AP611: is cancelled, taken back and ended where it is paid for', async () => {
    const [row] = await rowsOf(team)
    const args = `teamId: "${team}", subscriptionId: "${row!.id}"`
    await valueOf(ada, `mutation { softCancelSubscription(${args}) { id } }`)
    expect(stripe.subscriptions.get(row!.reference!)?.cancel_at_period_end).toBe(true)
    await valueOf(ada, `mutation { reactivateSubscription(${args}) { id } }`)
    expect(stripe.subscriptions.get(row!.reference!)?.cancel_at_period_end).toBe(false)
    stripe.subscriptions.get(row!.reference!)!.status = 'canceled'
    await hear(row!.reference!)
    expect(await rowsOf(team)).toMatchObject([{ status: 'cancelled' }])
    const audit = await server.context.database.select().from(auditEntries).where(eq(auditEntries.teamId, team))
    expect(audit.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['subscription.started', 'subscription.cancelled', 'subscription.statusChanged']),
    )
  })

  it('AP612: has a card that only its payer sees and changes, and a portal', async () => {
    const path = '/api/v1/users/current_user/payment_details'
    expect(await grace.call('GET', path)).toMatchObject({ status: 404 })
    expect(await grace.call('PATCH', path, { payment_details: { token: 'cus_1/../x' } })).toMatchObject({ status: 422 })
    const set = await grace.call('PATCH', path, { payment_details: { token: 'tok_visa' } })
    expect(set).toMatchObject({ status: 200, body: { data: { brand: 'visa', last4: '4242', exp_month: 4 } } })
    expect(await grace.call('GET', path)).toMatchObject({ status: 200, body: { data: { name: 'Ada' } } })
    expect(await server.browser().call('GET', path)).toMatchObject({ status: 401 })
    const portal = await ada.call('GET', `/api/v1/teams/${team}/customer_portal?return_path=/t/billing`)
    expect(portal).toMatchObject({ body: { stripe_customer_portal_url: 'https://portal.test/bills' } })
  })

  it('AP612: is begun and ended by the older calls, too', async () => {
    const path = '/api/v1/users/current_user/subscription'
    const made = await grace.call('POST', path, { subscription: { token: 'tok_visa', duration: 'yearly', amount: 9 } })
    expect(made).toMatchObject({ status: 200, body: { data: { subscription: { duration: 'yearly' } } } })
    const ended = await grace.call('DELETE', path)
    expect(ended).toMatchObject({ status: 200, body: { data: { subscription: { cancel_at_period_end: true } } } })
  })
})

describe('an account elsewhere', () => {
  const path = '/api/v1/users/current_user/integrations'

  it('AP613: is connected with a code, kept sealed, and let go', async () => {
    expect(await ada.call('POST', `${path}/zeit`, { code: 'bad' })).toMatchObject({ status: 422 })
    const connected = await ada.call('POST', `${path}/zeit`, { code: 'good' })
    expect(connected).toMatchObject({
      status: 200,
      body: { data: { integrations: { zeit: { email: 'ada@vercel.test' } } } },
    })
    const [row] = await server.context.database.select().from(integrations)
    expect(row?.sealedToken).not.toContain('vercel-token')
    expect((await ada.call('GET', '/api/v1/users/current/integrations')).body).toEqual({
      data: { github: null, zeit: { email: 'ada@vercel.test', token: 'vercel-token' } },
    })
    expect((await grace.call('GET', path)).body).toEqual({ data: { github: null, zeit: null } })
    expect(await ada.call('DELETE', `${path}/zeit`)).toMatchObject({ status: 204 })
    expect(await server.context.database.$count(integrations)).toBe(0)
  })

  it('AP613: comes back to the window that asked for it, and to no other', async () => {
    const start = await ada.request('/auth/zeit')
    const state = new URL(start.headers.location!).searchParams.get('state')!
    const back = await ada.request(`/auth/zeit/callback?code=good&state=${state}`)
    expect([back.status, back.text.includes('"code":"good"')]).toEqual([200, true])
    expect((await ada.request(`/auth/zeit/callback?code=good&state=${state}`)).status).toBe(403)
    expect((await grace.request(`/auth/zeit/callback?code=good&state=${state}`)).status).toBe(403)
  })
})

describe('a server without keys', () => {
  it('AP614: keeps plans on its own ledger and says what is not set up', async () => {
    const bare = await startTestServer()
    try {
      const user = await bare.signedIn('alan')
      const details = await user.call('GET', '/api/v1/users/current_user/payment_details')
      expect(details).toMatchObject({ status: 503, body: { error: { code: 'NOT_SET_UP' } } })
      const zeit = await user.call('POST', '/api/v1/users/current_user/integrations/zeit', { code: 'good' })
      expect(zeit).toMatchObject({ status: 503, body: { error: { code: 'NOT_SET_UP' } } })
      const path = '/api/v1/users/current/subscription'
      const made = await user.call('POST', path, { subscription: { duration: 'monthly' } })
      expect(made).toMatchObject({ status: 200, body: { data: { subscription: { plan: 'pro', amount: 900 } } } })
      expect(await user.call('PATCH', path, { subscription: { duration: 'yearly' } })).toMatchObject({ status: 200 })
      expect(await user.call('DELETE', path)).toMatchObject({ status: 200 })
      const webhook = await bare.browser().request(STRIPE_WEBHOOK_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      expect(webhook.status).toBe(401)
    } finally {
      await bare.close()
    }
  })
})
