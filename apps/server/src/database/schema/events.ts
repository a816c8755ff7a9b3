import { bigint, customType, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import { insertedAt } from '../columns.ts'

const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

/**
 * What happened and who may want to know. A row is written in the transaction of the command, so it exists exactly when what it
 * tells of does. `transaction` lets a server that was away find out which rows it has missed: ids are given out before the commit.
 */
export const events = pgTable(
  'events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    transaction: transactionId('transaction')
      .notNull()
      .default(sql`pg_current_xact_id()`),
    type: text('type').notNull(),
    /** What it is about, like `sandbox:a1b2c3`. */
    subject: text('subject').notNull(),
    data: jsonb('data').notNull(),
    insertedAt: insertedAt(),
  },
  (table) => [index('events_transaction').on(table.transaction), index('events_inserted').on(table.insertedAt)],
)
