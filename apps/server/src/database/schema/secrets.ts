import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, updatedAt } from '../columns.ts'
import { users } from './accounts.ts'
import { projects } from './repositories.ts'
import { sandboxes } from './sandboxes.ts'

/** An environment variable of a sandbox or of a repository. Its value is encrypted with the key of the installation. */
export const secrets = pgTable(
  'secrets',
  {
    id: uuid('id').primaryKey(),
    sandboxId: text('sandbox_id').references(() => sandboxes.id, { onDelete: 'cascade' }),
    projectId: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    sealedValue: text('sealed_value').notNull(),
    createdById: uuid('created_by_id').references(() => users.id, { onDelete: 'set null' }),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('secrets_sandbox')
      .on(table.sandboxId, table.name)
      .where(sql`${table.sandboxId} is not null`),
    uniqueIndex('secrets_project')
      .on(table.projectId, table.name)
      .where(sql`${table.projectId} is not null`),
    index('secrets_creator').on(table.createdById),
  ],
)
