import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'

export const STRIPE_WEBHOOK_SECRET = 'whsec_test'
const MONTH_SECONDS = 30 * 86_400

interface Item {
  id: string
  price: string
  current_period_end: number
}
export interface FakeSubscription {
  id: string
  object: 'subscription'
  customer: string
  status: string
  cancel_at_period_end: boolean
  cancel_at: number | null
  trial_start: null
  trial_end: null
  default_payment_method: string | null
  metadata: Record<string, string>
  items: { data: Item[] }
}

/** The part of Stripe's HTTP API that the server uses, kept in memory, with what it was asked. */
export interface StripeApi {
  url: string
  calls: { method: string; path: string; body: Record<string, string> }[]
  subscriptions: Map<string, FakeSubscription>
  /** As if somebody had paid at the checkout that was made last. */
  pay(): FakeSubscription
  /** The body and the signature of an event about a subscription. */
  event(id: string): { body: string; signature: string }
  close(): Promise<void>
}

export async function startStripeApi(): Promise<StripeApi> {
  const calls: StripeApi['calls'] = []
  const subscriptions = new Map<string, FakeSubscription>()
  const prices = new Map<string, { id: string; unit_amount: string }>()
  const cards = new Map<string, string>()
  let number = 0
  const next = (kind: string) => `${kind}_${(number += 1)}`
  const stripe = new Stripe('sk_test')
  const indexed = (body: Record<string, string>, prefix: string) =>
    Object.entries(body).flatMap(([key, value]) => (key.startsWith(prefix) && key.endsWith('[price]') ? [value] : []))
  const metadataOf = (body: Record<string, string>, prefix: string) =>
    Object.fromEntries(
      Object.entries(body).flatMap(([key, value]) =>
        key.startsWith(prefix) ? [[key.slice(prefix.length, -1), value]] : [],
      ),
    )

  function subscribe(customer: string, metadata: Record<string, string>, priceIds: string[]): FakeSubscription {
    const end = Math.floor(Date.now() / 1000) + MONTH_SECONDS
    const made: FakeSubscription = {
      id: next('sub'),
      object: 'subscription',
      customer,
      status: 'active',
      cancel_at_period_end: false,
      cancel_at: null,
      trial_start: null,
      trial_end: null,
      default_payment_method: null,
      metadata,
      items: { data: priceIds.map((price) => ({ id: next('si'), price, current_period_end: end })) },
    }
    subscriptions.set(made.id, made)
    return made
  }

  function answer(method: string, url: URL, body: Record<string, string>): object | null {
    const [, , kind = '', id = '', more = ''] = url.pathname.split('/')
    const call = `${method} /${kind}${id === '' ? '' : '/:id'}${more === '' ? '' : `/${more}`}`
    switch (call) {
      case 'POST /customers':
        return { id: next('cus'), object: 'customer' }
      case 'POST /customers/:id':
        cards.set(id, body['invoice_settings[default_payment_method]'] ?? '')
        return { id, object: 'customer' }
      case 'GET /customers/:id': {
        const card = cards.get(id)
        const details = { brand: 'visa', exp_month: 4, exp_year: 2031, last4: '4242' }
        const method = card && { id: card, billing_details: { name: 'Ada' }, card: details }
        return { id, object: 'customer', invoice_settings: { default_payment_method: method ?? null } }
      }
      case 'POST /payment_methods':
        return { id: next('pm'), object: 'payment_method' }
      case 'POST /payment_methods/:id/attach':
        return { id, object: 'payment_method' }
      case 'GET /prices': {
        const found = prices.get(url.searchParams.get('lookup_keys[0]') ?? '')
        return { object: 'list', data: found ? [found] : [], has_more: false, url: '/v1/prices' }
      }
      case 'POST /prices': {
        const price = { id: next('price'), unit_amount: body['unit_amount'] ?? '' }
        prices.set(body['lookup_key'] ?? '', price)
        return price
      }
      case 'POST /checkout/:id':
        return { id: next('cs'), object: 'checkout.session', url: 'https://checkout.test/pay' }
      case 'POST /billing_portal/:id':
        return { id: next('bps'), object: 'billing_portal.session', url: 'https://portal.test/bills' }
      case 'POST /subscriptions':
        return subscribe(body['customer'] ?? '', metadataOf(body, 'metadata['), indexed(body, 'items['))
      case 'GET /subscriptions/:id':
        return subscriptions.get(id) ?? null
      case 'POST /subscriptions/:id': {
        const known = subscriptions.get(id)
        if (!known) return null
        const wanted = indexed(body, 'items[')
        const end = known.items.data[0]!.current_period_end
        if (wanted.length > 0) {
          known.items.data = wanted.map((price) => ({ id: next('si'), price, current_period_end: end }))
          known.metadata = metadataOf(body, 'metadata[')
        }
        known.cancel_at_period_end = body['cancel_at_period_end'] === 'true'
        known.cancel_at = known.cancel_at_period_end ? end : null
        return known
      }
      default:
        return null
    }
  }

  const server = createServer((request, response) => {
    void text(request).then((sent) => {
      const url = new URL(request.url ?? '/', 'http://stripe.test')
      const method = request.method ?? 'GET'
      const body = Object.fromEntries(new URLSearchParams(sent))
      calls.push({ method, path: url.pathname, body })
      const found = answer(method, url, body)
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
      const missing = { error: { type: 'invalid_request_error', message: `No such thing: ${url.pathname}` } }
      response.end(JSON.stringify(found ?? missing))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    subscriptions,
    pay() {
      const { body } = calls.findLast(({ path }) => path === '/v1/checkout/sessions')!
      return subscribe(
        body['customer'] ?? '',
        metadataOf(body, 'subscription_data[metadata]['),
        indexed(body, 'line_items['),
      )
    },
    event(id) {
      const object = subscriptions.get(id)
      const body = JSON.stringify({
        id: next('evt'),
        object: 'event',
        type: 'customer.subscription.updated',
        data: { object },
      })
      const signature = stripe.webhooks.generateTestHeaderString({ payload: body, secret: STRIPE_WEBHOOK_SECRET })
      return { body, signature }
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
