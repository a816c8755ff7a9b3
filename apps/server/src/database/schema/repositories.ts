import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { insertedAt, moment, updatedAt } from '../columns.ts'
import { users } from './accounts.ts'
import { teams } from './workspaces.ts'

export const gitProvider = pgEnum('git_provider', ['github'])

export interface StoredCommit {
  color: string
  message: string | null
  sha: string
  timestamp: string
  userId: string | null
}

export interface StoredStatus {
  hasChanges: boolean
  hasConflicts: boolean
  remote: { ahead: number; behind: number }
  target: { ahead: number; behind: number }
}

/** A repository in a workspace. Without a workspace it is one that people without write access read or contribute to. */
export const projects = pgTable(
  'projects',
  {
    id: uuid('id').primaryKey(),
    provider: gitProvider('provider').notNull(),
    owner: text('owner').notNull(),
    name: text('name').notNull(),
    teamId: uuid('team_id').references(() => teams.id, { onDelete: 'cascade' }),
    /** What the git host last said about the repository, as it says it. */
    repository: jsonb('repository').$type<Record<string, unknown>>().notNull(),
    repositorySyncedAt: moment('repository_synced_at'),
    appInstalled: boolean('app_installed').notNull().default(false),
    /** Null for what the workspace says. */
    aiConsent: boolean('ai_consent'),
    vmTier: integer('vm_tier'),
    /** Minutes without use after which its machines go to sleep; null for what the workspace says. */
    idleMinutes: integer('idle_minutes'),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('projects_team')
      .on(table.teamId, table.provider, sql`lower(${table.owner})`, sql`lower(${table.name})`)
      .where(sql`${table.teamId} is not null`),
    uniqueIndex('projects_read_only')
      .on(table.provider, sql`lower(${table.owner})`, sql`lower(${table.name})`)
      .where(sql`${table.teamId} is null`),
    index('projects_repository').on(table.provider, sql`lower(${table.owner})`, sql`lower(${table.name})`),
  ],
)

/** A branch with a box of its own. */
export const branches = pgTable(
  'branches',
  {
    /** Also the id of its box. */
    id: text('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** A contribution branch belongs to one person, who has no write access to the repository. */
    contribution: boolean('contribution').notNull().default(false),
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    sourceBranch: text('source_branch'),
    protected: boolean('protected').notNull().default(false),
    /** Whether the git host has it too. */
    upstream: boolean('upstream').notNull().default(false),
    aiConsent: boolean('ai_consent'),
    vmTier: integer('vm_tier'),
    lastCommit: jsonb('last_commit').$type<StoredCommit>(),
    status: jsonb('status').$type<StoredStatus>(),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('branches_name')
      .on(table.projectId, table.name)
      .where(sql`not ${table.contribution}`),
    uniqueIndex('branches_contribution')
      .on(table.projectId, table.ownerId, table.name)
      .where(sql`${table.contribution}`),
  ],
)

export const branchAccesses = pgTable(
  'branch_accesses',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    branchId: text('branch_id')
      .notNull()
      .references(() => branches.id, { onDelete: 'cascade' }),
    lastAccessedAt: moment('last_accessed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.branchId] }),
    index('branch_accesses_recent').on(table.userId, table.lastAccessedAt),
  ],
)

/** A client that has a branch open. The server process that holds it looks after its row. */
export const branchConnections = pgTable(
  'branch_connections',
  {
    id: uuid('id').primaryKey(),
    branchId: text('branch_id')
      .notNull()
      .references(() => branches.id, { onDelete: 'cascade' }),
    /** Null for a visitor without an account, and for programs that act for somebody of their own. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    openedAt: moment('opened_at').notNull(),
    /** When its server process last said that it is there. */
    seenAt: moment('seen_at').notNull(),
  },
  (table) => [index('branch_connections_branch').on(table.branchId)],
)

/** Pull requests with their reviews and comments, as the git host last said; kept so that lists need no call. */
export const pullRequests = pgTable(
  'pull_requests',
  {
    id: uuid('id').primaryKey(),
    provider: gitProvider('provider').notNull(),
    owner: text('owner').notNull(),
    name: text('name').notNull(),
    number: integer('number').notNull(),
    state: text('state').notNull(),
    headBranch: text('head_branch').notNull(),
    baseBranch: text('base_branch').notNull(),
    pullRequest: jsonb('pull_request').$type<Record<string, unknown>>().notNull(),
    reviews: jsonb('reviews').$type<Record<string, unknown>[]>().notNull().default([]),
    reviewComments: jsonb('review_comments').$type<Record<string, unknown>[]>().notNull().default([]),
    comments: jsonb('comments').$type<Record<string, unknown>[]>().notNull().default([]),
    syncedAt: moment('synced_at').notNull(),
    insertedAt: insertedAt(),
  },
  (table) => [
    uniqueIndex('pull_requests_number').on(
      table.provider,
      sql`lower(${table.owner})`,
      sql`lower(${table.name})`,
      table.number,
    ),
  ],
)
