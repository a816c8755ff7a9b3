import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { insertedAt, moment, updatedAt } from './columns.ts'
import type { StoredBoxRecord } from '../machines/postgresBoxStore.ts'

export const userRole = pgEnum('user_role', ['member', 'admin'])
export const identityProvider = pgEnum('identity_provider', ['github'])
export const sessionKind = pgEnum('session_kind', ['browser', 'bearer'])
export const teamKind = pgEnum('team_kind', ['personal', 'team'])
export const memberAuthorization = pgEnum('member_authorization', ['admin', 'write', 'read'])

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    username: text('username').notNull(),
    name: text('name'),
    email: text('email').notNull(),
    avatarUrl: text('avatar_url'),
    role: userRole('role').notNull().default('member'),
    deletionRequested: boolean('deletion_requested').notNull().default(false),
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

export const teams = pgTable(
  'teams',
  {
    id: uuid('id').primaryKey(),
    kind: teamKind('kind').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    avatarUrl: text('avatar_url'),
    creatorId: uuid('creator_id').references(() => users.id, { onDelete: 'set null' }),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('teams_personal')
      .on(table.creatorId)
      .where(sql`${table.kind} = 'personal'`),
  ],
)

export const teamMembers = pgTable(
  'team_members',
  {
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    authorization: memberAuthorization('authorization').notNull(),
    insertedAt: insertedAt(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.userId] }), index('team_members_user').on(table.userId)],
)

export const sandboxes = pgTable(
  'sandboxes',
  {
    /** Six lower-case letters and digits; also the id of the box of a devbox. */
    id: text('id').primaryKey(),
    title: text('title'),
    description: text('description'),
    /** 0 public, 1 unlisted, 2 private. */
    privacy: smallint('privacy').notNull().default(2),
    /** A devbox has a machine; any other sandbox runs in the browser. */
    isV2: boolean('is_v2').notNull(),
    isFrozen: boolean('is_frozen').notNull().default(false),
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id),
    /** Name of the official template it descends from. */
    template: text('template'),
    forkedFromId: text('forked_from_id'),
    tags: text('tags').array().notNull().default([]),
    viewCount: integer('view_count').notNull().default(0),
    forkCount: integer('fork_count').notNull().default(0),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
    /** When it was moved to the trash. */
    removedAt: moment('removed_at'),
  },
  (table) => [index('sandboxes_team').on(table.teamId, table.updatedAt)],
)

export const sandboxAccesses = pgTable(
  'sandbox_accesses',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sandboxId: text('sandbox_id')
      .notNull()
      .references(() => sandboxes.id, { onDelete: 'cascade' }),
    lastAccessedAt: moment('last_accessed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.sandboxId] }),
    index('sandbox_accesses_recent').on(table.userId, table.lastAccessedAt),
  ],
)

/** What is kept about each box, as one document: the service over the drivers reads and replaces it as a whole. */
export const boxes = pgTable('boxes', {
  id: text('id').primaryKey(),
  record: jsonb('record').$type<StoredBoxRecord>().notNull(),
  updatedAt: updatedAt(),
})

export const gitAccounts = pgTable(
  'git_accounts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    login: text('login').notNull(),
    name: text('name'),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    administrator: boolean('administrator').notNull(),
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
export * from './schema/gitRepositories.ts'
