import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, moment, updatedAt } from '../columns.ts'
import { users } from './accounts.ts'
import { sandboxes } from './sandboxes.ts'

/** A collection of public sandboxes that someone put together. */
export const albums = pgTable(
  'albums',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    description: text('description'),
    /** Since when it is shown on the discover page. */
    curatedAt: moment('curated_at'),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('albums_user').on(table.userId)],
)

export const albumSandboxes = pgTable(
  'album_sandboxes',
  {
    albumId: uuid('album_id')
      .notNull()
      .references(() => albums.id, { onDelete: 'cascade' }),
    sandboxId: text('sandbox_id')
      .notNull()
      .references(() => sandboxes.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    insertedAt: insertedAt(),
  },
  (table) => [primaryKey({ columns: [table.albumId, table.sandboxId] })],
)
