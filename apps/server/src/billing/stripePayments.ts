import { ApiError } from '@boxyard/api'
import { Stripe } from 'stripe'
import type { PaymentSettings } from './paymentSettings.ts'
import { addonPrices, CURRENCY, planPrices } from './prices.ts'
import type { Order } from './subscriptions.ts'

export interface PaymentDetails {
  brand: string
  exp_month: number
  exp_year: number
  last4: string
  name: string | null
}

/** Plans that are paid for at Stripe. What a subscription is for stands in its metadata, so that a webhook can be understood. */
export class StripePayments {
  readonly #stripe: Stripe
  readonly #webhookSecret: string

  constructor({ secretKey, webhookSecret, apiUrl }: PaymentSettings) {
    const { hostname, port, protocol } = new URL(apiUrl)
    const scheme = protocol === 'http:' ? 'http' : 'https'
    this.#webhookSecret = webhookSecret
    this.#stripe = new Stripe(secretKey, {
      host: hostname,
      port: port === '' ? (scheme === 'http' ? 80 : 443) : Number(port),
      protocol: scheme,
      maxNetworkRetries: 2,
      timeout: 20_000,
      telemetry: false,
    })
  }

  createCustomer(teamId: string, { email, name }: { email: string; name: string }): Promise<string> {
    // A second try after a lost answer finds the first one's customer.
    const create = this.#stripe.customers.create(
      { email, name, metadata: { team_id: teamId } },
      { idempotencyKey: `customer-${teamId}` },
    )
    return told(create.then(({ id }) => id))
  }

  /** Where somebody pays for a new subscription. */
  async checkout(given: {
    customer: string
    teamId: string
    order: Order
    successUrl: string
    cancelUrl: string
  }): Promise<string> {
    const { customer, teamId, order } = given
    const session = await told(
      this.#stripe.checkout.sessions.create({
        mode: 'subscription',
        customer,
        client_reference_id: teamId,
        line_items: (await this.#pricesOf(order)).map((price) => ({ price, quantity: 1 })),
        subscription_data: { metadata: metadataOf(teamId, order) },
        success_url: given.successUrl,
        cancel_url: given.cancelUrl,
      }),
    )
    if (session.url === null) throw new ApiError('PAYMENT_UNREACHABLE')
    return session.url
  }

  /** Where an administrator sees bills and changes cards. */
  async portal(customer: string, returnUrl: string): Promise<string> {
    return (await told(this.#stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }))).url
  }

  /** The card that pays, or null while there is none. */
  async details(customer: string): Promise<PaymentDetails | null> {
    const found = await told(
      this.#stripe.customers.retrieve(customer, { expand: ['invoice_settings.default_payment_method'] }),
    )
    const method = found.deleted ? null : found.invoice_settings.default_payment_method
    if (method === null || typeof method === 'string' || !method.card) return null
    const { brand, exp_month: expMonth, exp_year: expYear, last4 } = method.card
    return { brand, exp_month: expMonth, exp_year: expYear, last4, name: method.billing_details.name }
  }

  /** Takes another card. `token` comes from Stripe's form in the browser: a payment method, or the older token of a card. */
  async setCard(customer: string, token: string): Promise<void> {
    const method = token.startsWith('pm_')
      ? token
      : (await told(this.#stripe.paymentMethods.create({ type: 'card', card: { token } }))).id
    await told(this.#stripe.paymentMethods.attach(method, { customer }))
    await told(this.#stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } }))
  }

  /** Begins a subscription that the customer's card pays for. */
  async subscribe(customer: string, teamId: string, order: Order): Promise<string> {
    const items = (await this.#pricesOf(order)).map((price) => ({ price, quantity: 1 }))
    const metadata = metadataOf(teamId, order)
    return (await told(this.#stripe.subscriptions.create({ customer, items, metadata }))).id
  }

  /** Changes what a subscription is for. With `now` the difference is billed at once, else the next bill is another one. */
  async change(reference: string, teamId: string, order: Order, { now }: { now: boolean }): Promise<void> {
    const current = await this.subscription(reference)
    const prices = await this.#pricesOf(order)
    await told(
      this.#stripe.subscriptions.update(reference, {
        items: [
          ...current.items.data.map(({ id }) => ({ id, deleted: true })),
          ...prices.map((price) => ({ price, quantity: 1 })),
        ],
        cancel_at_period_end: false,
        proration_behavior: now ? 'always_invoice' : 'none',
        metadata: metadataOf(teamId, order),
      }),
    )
  }

  async setCancelled(reference: string, atPeriodEnd: boolean): Promise<void> {
    await told(this.#stripe.subscriptions.update(reference, { cancel_at_period_end: atPeriodEnd }))
  }

  subscription(reference: string): Promise<Stripe.Subscription> {
    return told(this.#stripe.subscriptions.retrieve(reference))
  }

  /** The event that a webhook brings, or null when it was not Stripe who sent it. */
  readEvent(body: Buffer, signature: string): Stripe.Event | null {
    try {
      return this.#stripe.webhooks.constructEvent(body, signature, this.#webhookSecret)
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
      throw error
    }
  }

  /** The prices of an order at Stripe, made when they are first needed. A changed price is another one. */
  async #pricesOf({ plan, billingInterval, addons }: Order): Promise<string[]> {
    const interval = billingInterval === 'monthly' ? 'month' : 'year'
    const parts = [
      { name: plan as string, amount: planPrices[plan][interval] },
      ...addons.map((addon) => ({ name: addon, amount: addonPrices[addon]![interval] })),
    ]
    return Promise.all(
      parts.map(async ({ name, amount }) => {
        const key = `boxyard_${name}_${interval}_${amount}`
        const known = await told(this.#stripe.prices.list({ lookup_keys: [key], limit: 1 }))
        if (known.data[0]) return known.data[0].id
        const made = this.#stripe.prices.create(
          {
            currency: CURRENCY.toLowerCase(),
            unit_amount: amount,
            recurring: { interval },
            lookup_key: key,
            product_data: { name: `Boxyard ${name}` },
          },
          { idempotencyKey: key },
        )
        return (await told(made)).id
      }),
    )
  }
}

function metadataOf(teamId: string, { plan, billingInterval, addons }: Order): Record<string, string> {
  return { team_id: teamId, plan, billing_interval: billingInterval, addons: addons.join(',') }
}

/** What Stripe refuses is said in its own words; that it can not be reached is no fault of whoever asks. */
async function told<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError) {
      throw new ApiError('PAYMENT_REFUSED', { detail: error.message, cause: error })
    }
    if (error instanceof Stripe.errors.StripeError) throw new ApiError('PAYMENT_UNREACHABLE', { cause: error })
    throw error
  }
}
