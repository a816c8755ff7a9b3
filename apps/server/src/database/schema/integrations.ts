import { pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, updatedAt } from '../columns.ts'
import { users } from './accounts.ts'

export const integrationType = pgEnum('integration_type', ['zeit'])

/** Accounts elsewhere that people connected, beside the git host. Their tokens are encrypted with the key of the installation. */
export const integrations = pgTable(
  'integrations',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: integrationType('type').notNull(),
    email: text('email'),
    sealedToken: text('sealed_token').notNull(),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.type] })],
)
