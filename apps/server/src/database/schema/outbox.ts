import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { insertedAt, moment } from '../columns.ts'

export const outboxChannel = pgEnum('outbox_channel', ['event', 'mail', 'webhook'])

/**
 * What leaves after its transaction has committed. A row is written with the change it tells of, so that neither exists without
 * the other, and is done once it was delivered.
 */
export const outbox = pgTable(
  'outbox',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    channel: outboxChannel('channel').notNull(),
    name: text('name').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    insertedAt: insertedAt(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at').notNull().defaultNow(),
    doneAt: moment('done_at'),
    /** Why the last attempt failed. */
    failure: text('failure'),
  },
  (table) => [
    index('outbox_open')
      .on(table.channel, table.nextAttemptAt)
      .where(sql`${table.doneAt} is null`),
    index('outbox_done').on(table.doneAt),
  ],
)
