import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { insertedAt, moment, updatedAt } from '../columns.ts'
import { users } from './accounts.ts'

export const teamKind = pgEnum('team_kind', ['personal', 'team'])
export const memberAuthorization = pgEnum('member_authorization', ['admin', 'write', 'read', 'none'])

export const teams = pgTable(
  'teams',
  {
    id: uuid('id').primaryKey(),
    kind: teamKind('kind').notNull(),
    /** Short and readable, for addresses. */
    shortid: text('shortid')
      .notNull()
      .default(sql`substr(replace(gen_random_uuid()::text, '-', ''), 1, 12)`),
    name: text('name').notNull(),
    description: text('description'),
    avatarUrl: text('avatar_url'),
    creatorId: uuid('creator_id').references(() => users.id, { onDelete: 'set null' }),
    /** Whoever has this token may join; members see it as a link. */
    inviteToken: text('invite_token')
      .notNull()
      .default(sql`replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`),
    useCases: text('use_cases').array().notNull().default([]),
    /** A frozen workspace can be read and left, nothing else: its bill is not paid. */
    frozen: boolean('frozen').notNull().default(false),
    /** What members who come by link or domain may do. */
    defaultAuthorization: memberAuthorization('default_authorization').notNull().default('write'),
    /** No sandbox may be more public than this: 0 public, 1 unlisted, 2 private. */
    minimumPrivacy: smallint('minimum_privacy').notNull().default(0),
    preventSandboxExport: boolean('prevent_sandbox_export').notNull().default(false),
    preventSandboxLeaving: boolean('prevent_sandbox_leaving').notNull().default(false),
    aiPrivateRepositories: boolean('ai_private_repositories').notNull().default(false),
    aiPrivateSandboxes: boolean('ai_private_sandboxes').notNull().default(false),
    aiPublicRepositories: boolean('ai_public_repositories').notNull().default(false),
    aiPublicSandboxes: boolean('ai_public_sandboxes').notNull().default(false),
    /** In the smallest unit of the currency; null for the plan's own limit. */
    onDemandSpendingLimit: integer('on_demand_spending_limit'),
    /** The size of machines that are made in it, by number; null for the usual one. */
    vmTier: integer('vm_tier'),
    /** Minutes without use after which its machines go to sleep; null for what the server does with every machine. */
    idleMinutes: integer('idle_minutes'),
    usageBillingBeta: boolean('usage_billing_beta').notNull().default(false),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('teams_personal')
      .on(table.creatorId)
      .where(sql`${table.kind} = 'personal'`),
    uniqueIndex('teams_shortid').on(table.shortid),
    uniqueIndex('teams_invite_token').on(table.inviteToken),
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
    /** May look after the bill without being an administrator. */
    teamManager: boolean('team_manager').notNull().default(false),
    /** The workspace that opens first; at most one a person, and gone with the membership. */
    isPrimary: boolean('is_primary').notNull().default(false),
    insertedAt: insertedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId] }),
    index('team_members_user').on(table.userId),
    uniqueIndex('team_members_primary')
      .on(table.userId)
      .where(sql`${table.isPrimary}`),
  ],
)

/** Someone who was asked to join: a user, or an address that may not have an account yet. */
export const teamInvitations = pgTable(
  'team_invitations',
  {
    id: uuid('id').primaryKey(),
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    email: text('email'),
    authorization: memberAuthorization('authorization').notNull(),
    invitedById: uuid('invited_by_id').references(() => users.id, { onDelete: 'set null' }),
    /** SHA-256 of the token in the link of the e-mail. */
    tokenHash: text('token_hash'),
    insertedAt: insertedAt(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('team_invitations_user')
      .on(table.teamId, table.userId)
      .where(sql`${table.userId} is not null`),
    uniqueIndex('team_invitations_email')
      .on(table.teamId, sql`lower(${table.email})`)
      .where(sql`${table.email} is not null`),
    uniqueIndex('team_invitations_token').on(table.tokenHash),
    index('team_invitations_invitee').on(table.userId),
  ],
)

/** Someone who asked the administrators to be let in. */
export const teamRequests = pgTable(
  'team_requests',
  {
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    insertedAt: insertedAt(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.userId] })],
)
