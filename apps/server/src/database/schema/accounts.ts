import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgEnum, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, moment, updatedAt } from '../columns.ts'

export const userRole = pgEnum('user_role', ['member', 'admin'])
export const identityProvider = pgEnum('identity_provider', ['github'])
export const sessionKind = pgEnum('session_kind', ['browser', 'bearer'])

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

/** Who a user is at a provider. `issuer` is the web address of the git host. */
export const identities = pgTable(
  'identities',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: identityProvider('provider').notNull(),
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    login: text('login').notNull(),
    name: text('name'),
    avatarUrl: text('avatar_url').notNull(),
    scopes: text('scopes').array().notNull(),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('identities_subject').on(table.provider, table.issuer, table.subject),
    index('identities_user').on(table.userId),
  ],
)

/** Browser sessions and bearer tokens. Only the SHA-256 of a token is kept. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: sessionKind('kind').notNull(),
    tokenHash: text('token_hash').notNull(),
    userAgent: text('user_agent'),
    insertedAt: insertedAt(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [uniqueIndex('sessions_token').on(table.tokenHash), index('sessions_user').on(table.userId)],
)

/** A sign-in that is under way in a popup. Removed when its callback comes, so that it works once. */
export const signInAttempts = pgTable('sign_in_attempts', {
  stateHash: text('state_hash').primaryKey(),
  /** SHA-256 of the cookie that binds the attempt to the browser that began it. */
  browserHash: text('browser_hash').notNull(),
  codeVerifier: text('code_verifier').notNull(),
  expiresAt: moment('expires_at').notNull(),
})

/** Someone the git host vouches for who has not chosen a username yet. */
export const pendingUsers = pgTable('pending_users', {
  id: uuid('id').primaryKey(),
  browserHash: text('browser_hash').notNull(),
  provider: identityProvider('provider').notNull(),
  issuer: text('issuer').notNull(),
  subject: text('subject').notNull(),
  login: text('login').notNull(),
  username: text('username').notNull(),
  name: text('name'),
  email: text('email').notNull(),
  avatarUrl: text('avatar_url').notNull(),
  scopes: text('scopes').array().notNull(),
  administrator: boolean('administrator').notNull(),
  expiresAt: moment('expires_at').notNull(),
})

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
