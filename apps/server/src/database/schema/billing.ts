import { boolean, index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, moment, updatedAt } from '../columns.ts'
import { teams } from './workspaces.ts'

export const subscriptionType = pgEnum('subscription_type', ['personal_pro', 'team_pro'])
export const subscriptionInterval = pgEnum('subscription_interval', ['monthly', 'yearly'])
export const subscriptionOrigin = pgEnum('subscription_origin', ['legacy', 'patron', 'pilot'])
export const subscriptionProvider = pgEnum('subscription_provider', ['stripe', 'local'])
export const subscriptionStatus = pgEnum('subscription_status', [
  'active',
  'cancelled',
  'incomplete',
  'incomplete_expired',
  'paused',
  'trialing',
  'unknown',
  'unpaid',
])

/** A phase of a subscription that begins later: what changes at the next bill. */
export interface StoredPhase {
  startDate: string
  endDate: string | null
  items: { name: string; quantity: number; unitAmount: number; unitAmountDecimal: string }[]
  plan: string
  billingInterval: 'monthly' | 'yearly'
  addons: string[]
}

export const subscriptions = pgTable(
  'subscriptions',
  {
    id: uuid('id').primaryKey(),
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    type: subscriptionType('type').notNull(),
    /** flex, builder or enterprise. A workspace without a subscription is on the free plan. */
    plan: text('plan').notNull(),
    addons: text('addons').array().notNull().default([]),
    status: subscriptionStatus('status').notNull(),
    origin: subscriptionOrigin('origin'),
    provider: subscriptionProvider('provider').notNull(),
    /** Id at the provider. */
    reference: text('reference'),
    billingInterval: subscriptionInterval('billing_interval').notNull(),
    currency: text('currency').notNull().default('USD'),
    quantity: integer('quantity').notNull().default(1),
    unitPrice: integer('unit_price').notNull(),
    cancelAt: moment('cancel_at'),
    cancelAtPeriodEnd: boolean('cancel_at_period_end').notNull().default(false),
    nextBillDate: moment('next_bill_date'),
    trialStart: moment('trial_start'),
    trialEnd: moment('trial_end'),
    paymentMethodAttached: boolean('payment_method_attached').notNull().default(false),
    upcoming: jsonb('upcoming').$type<StoredPhase>(),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('subscriptions_team').on(table.teamId, table.insertedAt),
    uniqueIndex('subscriptions_reference').on(table.provider, table.reference),
  ],
)

/** The ledger: every credit that a workspace was given or used. Rows are only ever added. */
export const creditEntries = pgTable(
  'credit_entries',
  {
    id: uuid('id').primaryKey(),
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** More than 0 is given, less is used. */
    amount: integer('amount').notNull(),
    /** What it is for: included, addon, on_demand, machine, correction. */
    kind: text('kind').notNull(),
    /** Makes an entry happen once: a period, a run of a machine, an id at the provider. */
    reference: text('reference').notNull(),
    insertedAt: insertedAt(),
  },
  (table) => [
    uniqueIndex('credit_entries_reference').on(table.teamId, table.kind, table.reference),
    index('credit_entries_team').on(table.teamId, table.insertedAt),
  ],
)

/** Who a workspace is where it pays. */
export const billingCustomers = pgTable(
  'billing_customers',
  {
    teamId: uuid('team_id')
      .primaryKey()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** Id at the provider. */
    reference: text('reference').notNull(),
    insertedAt: insertedAt(),
  },
  (table) => [uniqueIndex('billing_customers_reference').on(table.reference)],
)
