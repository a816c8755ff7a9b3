import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'

/** Who changed access, membership, secrets or the bill, and when. Without references: an entry outlives what it is about. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: uuid('id').primaryKey(),
    at: moment('at').notNull().defaultNow(),
    actorId: uuid('actor_id'),
    action: text('action').notNull(),
    teamId: uuid('team_id'),
    sandboxId: text('sandbox_id'),
    /** Whom it happened to. */
    userId: uuid('user_id'),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    index('audit_entries_team').on(table.teamId, table.at),
    index('audit_entries_actor').on(table.actorId, table.at),
    index('audit_entries_at').on(table.at),
  ],
)
