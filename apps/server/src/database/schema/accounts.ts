import { sql } from 'drizzle-orm'
import { boolean, jsonb, pgEnum, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, moment, updatedAt } from '../columns.ts'

export const userRole = pgEnum('user_role', ['member', 'admin'])

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    username: text('username').notNull(),
    name: text('name'),
    email: text('email').notNull(),
    avatarUrl: text('avatar_url'),
    bio: text('bio'),
    socialLinks: text('social_links').array().notNull().default([]),
    role: userRole('role').notNull().default('member'),
    deletionRequested: boolean('deletion_requested').notNull().default(false),
    /** When the account goes, unless its owner takes the request back before. */
    deletionDueAt: moment('deletion_due_at'),
    curatorAt: moment('curator_at'),
    experiments: jsonb('experiments').$type<Record<string, boolean>>().notNull().default({}),
    /** What was told at sign-up: role, usage, company. */
    metadata: jsonb('metadata').$type<Record<string, string>>().notNull().default({}),
    betaAccess: boolean('beta_access').notNull().default(false),
    /** Sandboxes that its owner shows on the profile page, first to last. */
    featuredSandboxIds: text('featured_sandbox_ids').array().notNull().default([]),
    showcasedSandboxId: text('showcased_sandbox_id'),
    surveySeenAt: moment('survey_seen_at'),
    surveyAnsweredAt: moment('survey_answered_at'),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('users_username').on(sql`lower(${table.username})`)],
)

/** Settings of the editor that someone keeps on the server, several sets by name. `settings` is text that only the editor reads. */
export const editorSettings = pgTable(
  'editor_settings',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    settings: text('settings').notNull(),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('editor_settings_name').on(table.userId, table.name)],
)
