import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, updatedAt } from '../columns.ts'
import { teams } from './workspaces.ts'

/** A folder of a workspace. The path says where it is; `/` is the root. */
export const collections = pgTable(
  'collections',
  {
    id: uuid('id').primaryKey(),
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('collections_path').on(table.teamId, table.path), index('collections_team').on(table.teamId)],
)
