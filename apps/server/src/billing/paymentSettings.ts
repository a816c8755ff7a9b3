import { z } from 'zod'
import { httpUrl, settingDocumentation } from '../settingDocumentation.ts'
import { settingsTogether } from '../settingsTogether.ts'

const text = z.string().min(1).optional()

/** The settings of payments. Without a key every plan is kept on the server's own ledger and costs nothing. */
export const paymentEnvironment = {
  STRIPE_SECRET_KEY: text.register(settingDocumentation, {
    description: 'A secret key of Stripe. With it plans are paid for there.',
    expected: 'a secret key',
    fallback: "plans are kept on the server's own ledger and cost nothing",
    secret: true,
  }),
  STRIPE_WEBHOOK_SECRET: text.register(settingDocumentation, {
    description: 'The signing secret of the webhook at Stripe that sends to /api/v1/billing/stripe/webhook.',
    expected: 'a signing secret',
    fallback: 'needed with STRIPE_SECRET_KEY',
    secret: true,
  }),
  STRIPE_API_URL: httpUrl.default('https://api.stripe.com').register(settingDocumentation, {
    description: "The address of Stripe's API.",
    expected: 'an http or https address',
    fallback: 'https://api.stripe.com',
  }),
}

export interface PaymentSettings {
  secretKey: string
  webhookSecret: string
  apiUrl: string
}

const values = z.object(paymentEnvironment)

/** Undefined: the server's own ledger. What is wrong is added to `problems`. */
export function readPaymentSettings(env: z.infer<typeof values>, problems: string[]): PaymentSettings | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl } = env
  if (secretKey !== undefined && webhookSecret !== undefined) return { secretKey, webhookSecret, apiUrl }
  settingsTogether(env, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'], problems)
  return undefined
}
