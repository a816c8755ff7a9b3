import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { SsoSettings } from '@boxyard/api'
import { insertedAt, moment, updatedAt } from '../columns.ts'
import { users } from './accounts.ts'
import { teams } from './workspaces.ts'

export const identityProvider = pgEnum('identity_provider', ['github', 'google', 'apple', 'oidc', 'saml', 'workos'])
export const sessionKind = pgEnum('session_kind', ['browser', 'bearer'])
export const deviceGrantStatus = pgEnum('device_grant_status', ['pending', 'approved', 'denied'])

/** Who a user is at a provider. `issuer` is the web address of the provider, or the id of a workspace's SSO connection. */
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
    avatarUrl: text('avatar_url'),
    scopes: text('scopes').array().notNull(),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('identities_subject').on(table.provider, table.issuer, table.subject),
    index('identities_user').on(table.userId),
  ],
)

/**
 * Browser sessions and bearer tokens. Only the SHA-256 of a token is kept. A browser's token is replaced while it is used: the next
 * one is offered until the browser sends it, then the one before is good for a moment longer.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: sessionKind('kind').notNull(),
    tokenHash: text('token_hash').notNull(),
    nextTokenHash: text('next_token_hash'),
    nextOfferedAt: moment('next_offered_at'),
    previousTokenHash: text('previous_token_hash'),
    rotatedAt: moment('rotated_at').notNull().defaultNow(),
    userAgent: text('user_agent'),
    /** What a bearer token is for, in words. */
    label: text('label'),
    insertedAt: insertedAt(),
    lastUsedAt: moment('last_used_at').notNull().defaultNow(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('sessions_token').on(table.tokenHash),
    uniqueIndex('sessions_next_token').on(table.nextTokenHash),
    uniqueIndex('sessions_previous_token').on(table.previousTokenHash),
    index('sessions_user').on(table.userId),
  ],
)

/** A sign-in that is under way in a popup. Removed when its callback comes, so that it works once. */
export const signInAttempts = pgTable('sign_in_attempts', {
  stateHash: text('state_hash').primaryKey(),
  /** SHA-256 of the cookie that binds the attempt to the browser that began it. */
  browserHash: text('browser_hash').notNull(),
  /** The route it began at: `github`, or `sso/` and the id of a connection. The defaults are for rows from before these columns. */
  provider: text('provider').notNull().default('github'),
  codeVerifier: text('code_verifier').notNull(),
  nonce: text('nonce').notNull().default(''),
  /** Whom the identity is to be added to, when somebody who is signed in began it. */
  linkUserId: uuid('link_user_id').references(() => users.id, { onDelete: 'cascade' }),
  /** What the provider posted, until the browser comes for it with its cookie. */
  answer: text('answer'),
  expiresAt: moment('expires_at').notNull(),
})

/** Someone a provider vouches for who has not chosen a username yet. */
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
  avatarUrl: text('avatar_url'),
  scopes: text('scopes').array().notNull(),
  administrator: boolean('administrator').notNull(),
  /** The workspace whose single sign-on vouches for them, which they join. */
  teamId: uuid('team_id').references(() => teams.id, { onDelete: 'cascade' }),
  expiresAt: moment('expires_at').notNull(),
})

/** A code that a person carries from the page to a program, which turns it into a token. */
export const commandLineCodes = pgTable('command_line_codes', {
  codeHash: text('code_hash').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: moment('expires_at').notNull(),
})

/** A program without a browser that waits until somebody lets it in. */
export const deviceGrants = pgTable(
  'device_grants',
  {
    deviceHash: text('device_hash').primaryKey(),
    userCodeHash: text('user_code_hash').notNull(),
    program: text('program').notNull(),
    address: text('address').notNull(),
    status: deviceGrantStatus('status').notNull().default('pending'),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    intervalSeconds: integer('interval_seconds').notNull(),
    polledAt: moment('polled_at'),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [uniqueIndex('device_grants_user_code').on(table.userCodeHash)],
)

/** How the people of a workspace sign in at their own identity provider. */
export const ssoConnections = pgTable(
  'sso_connections',
  {
    id: uuid('id').primaryKey(),
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    settings: jsonb('settings').$type<SsoSettings>().notNull(),
    /** The client secret, encrypted with the server's key. */
    sealedSecret: text('sealed_secret'),
    /** Whether people with an address of its verified domains may sign in no other way. */
    enforced: boolean('enforced').notNull().default(false),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('sso_connections_team').on(table.teamId)],
)

/** Domains of a workspace. One counts once its TXT record was found; then it is no other workspace's. */
export const ssoDomains = pgTable(
  'sso_domains',
  {
    id: uuid('id').primaryKey(),
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    domain: text('domain').notNull(),
    proof: text('proof').notNull(),
    verifiedAt: moment('verified_at'),
    insertedAt: insertedAt(),
  },
  (table) => [
    uniqueIndex('sso_domains_team').on(table.teamId, table.domain),
    uniqueIndex('sso_domains_verified')
      .on(table.domain)
      .where(sql`${table.verifiedAt} is not null`),
  ],
)
