import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { insertedAt } from '../columns.ts'
import { users } from './accounts.ts'

/** A file someone put on the server. Its bytes are stored under their SHA-256. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    contentType: text('content_type').notNull(),
    objectSize: integer('object_size').notNull(),
    sha256: text('sha256').notNull(),
    insertedAt: insertedAt(),
  },
  (table) => [index('uploads_user').on(table.userId), index('uploads_content').on(table.sha256)],
)
