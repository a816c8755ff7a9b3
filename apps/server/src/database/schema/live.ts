import { sql } from 'drizzle-orm'
import { pgEnum, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'
import { users } from './accounts.ts'

export const livePermission = pgEnum('live_permission', ['read', 'write'])

export const liveSessions = pgTable(
  'live_sessions',
  {
    id: uuid('id').primaryKey(),
    /** The id of a devbox or of a branch. */
    vmId: text('vm_id').notNull(),
    hostId: uuid('host_id').references(() => users.id, { onDelete: 'cascade' }),
    defaultPermission: livePermission('default_permission').notNull(),
    startedAt: moment('started_at').notNull().defaultNow(),
    stoppedAt: moment('stopped_at'),
  },
  (table) => [
    uniqueIndex('live_sessions_running')
      .on(table.vmId)
      .where(sql`${table.stoppedAt} is null`),
  ],
)

export const liveSessionGuests = pgTable(
  'live_session_guests',
  {
    sessionId: uuid('session_id')
      .notNull()
      .references(() => liveSessions.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null for the default permission of the session. */
    permission: livePermission('permission'),
    joinedAt: moment('joined_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.userId] })],
)
