import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { insertedAt, moment } from '../columns.ts'

export const gitAccounts = pgTable(
  'git_accounts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    login: text('login').notNull(),
    name: text('name'),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    administrator: boolean('administrator').notNull(),
    /** When somebody came with a link that was sent to the address. */
    emailVerifiedAt: moment('email_verified_at'),
    insertedAt: insertedAt(),
  },
  (table) => [uniqueIndex('git_accounts_login').on(sql`lower(${table.login})`)],
)

export const gitSessions = pgTable('git_sessions', {
  tokenHash: text('token_hash').primaryKey(),
  accountId: bigint('account_id', { mode: 'number' })
    .notNull()
    .references(() => gitAccounts.id, { onDelete: 'cascade' }),
  insertedAt: insertedAt(),
  expiresAt: moment('expires_at').notNull(),
})

/** Links that were mailed and sign in whoever has them, once. */
export const gitSignInLinks = pgTable('git_sign_in_links', {
  tokenHash: text('token_hash').primaryKey(),
  accountId: bigint('account_id', { mode: 'number' })
    .notNull()
    .references(() => gitAccounts.id, { onDelete: 'cascade' }),
  insertedAt: insertedAt(),
  expiresAt: moment('expires_at').notNull(),
})

export const gitOauthCodes = pgTable('git_oauth_codes', {
  codeHash: text('code_hash').primaryKey(),
  accountId: bigint('account_id', { mode: 'number' })
    .notNull()
    .references(() => gitAccounts.id, { onDelete: 'cascade' }),
  clientId: text('client_id').notNull(),
  redirectUri: text('redirect_uri').notNull(),
  scopes: text('scopes').array().notNull(),
  codeChallenge: text('code_challenge'),
  expiresAt: moment('expires_at').notNull(),
})

export const gitTokens = pgTable('git_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  accountId: bigint('account_id', { mode: 'number' })
    .notNull()
    .references(() => gitAccounts.id, { onDelete: 'cascade' }),
  clientId: text('client_id').notNull(),
  scopes: text('scopes').array().notNull(),
  insertedAt: insertedAt(),
})

/** Failed sign-ins at the local git host by what was typed, known account or not. */
export const gitSignInFailures = pgTable('git_sign_in_failures', {
  key: text('key').primaryKey(),
  failures: integer('failures').notNull(),
  since: moment('since').notNull(),
})

export const gitInvitations = pgTable('git_invitations', {
  codeHash: text('code_hash').primaryKey(),
  createdBy: bigint('created_by', { mode: 'number' })
    .notNull()
    .references(() => gitAccounts.id, { onDelete: 'cascade' }),
  insertedAt: insertedAt(),
  expiresAt: moment('expires_at').notNull(),
})
