import { boolean, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, updatedAt } from '../columns.ts'
import { users } from './accounts.ts'

export const notifications = pgTable(
  'notifications',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    type: text('type').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    read: boolean('read').notNull().default(false),
    archived: boolean('archived').notNull().default(false),
    /** Whether the count at the bell still includes it. */
    counted: boolean('counted').notNull().default(true),
    insertedAt: insertedAt(),
  },
  (table) => [index('notifications_user').on(table.userId, table.insertedAt)],
)

/** What someone wants to hear of. Whoever has no row gets the defaults. */
export const notificationPreferences = pgTable('notification_preferences', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  emailCommentMention: boolean('email_comment_mention').notNull().default(true),
  emailCommentReply: boolean('email_comment_reply').notNull().default(true),
  emailMarketing: boolean('email_marketing').notNull().default(false),
  emailNewComment: boolean('email_new_comment').notNull().default(true),
  emailSandboxInvite: boolean('email_sandbox_invite').notNull().default(true),
  emailTeamInvite: boolean('email_team_invite').notNull().default(true),
  emailTeamRequest: boolean('email_team_request').notNull().default(true),
  inAppPrReviewReceived: boolean('in_app_pr_review_received').notNull().default(true),
  inAppPrReviewRequest: boolean('in_app_pr_review_request').notNull().default(true),
  updatedAt: updatedAt(),
})
