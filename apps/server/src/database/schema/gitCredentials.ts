import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, moment, updatedAt } from '../columns.ts'
import { users } from './accounts.ts'

/** What someone let the platform do at the git host. The token is sealed and leaves the server for the git host alone. */
export const gitCredentials = pgTable('git_credentials', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Web address of the git host. */
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  login: text('login').notNull(),
  name: text('name'),
  avatarUrl: text('avatar_url').notNull(),
  scopes: text('scopes').array().notNull(),
  sealedToken: text('sealed_token').notNull(),
  insertedAt: insertedAt(),
  updatedAt: updatedAt(),
})

/** Webhooks as they came, each once, until they were handled. */
export const gitWebhookInbox = pgTable(
  'git_webhook_inbox',
  {
    /** What the git host calls the delivery: a repetition has the same. */
    deliveryId: text('delivery_id').primaryKey(),
    event: text('event').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    insertedAt: insertedAt(),
    handledAt: moment('handled_at'),
  },
  (table) => [index('git_webhook_inbox_open').on(table.handledAt)],
)
