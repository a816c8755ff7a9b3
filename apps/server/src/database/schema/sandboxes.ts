import { sql } from 'drizzle-orm'
import type { SQL, SQLWrapper } from 'drizzle-orm'
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
import { collections } from './collections.ts'
import { teams } from './workspaces.ts'

export const sandboxAuthorization = pgEnum('sandbox_authorization', [
  'none',
  'read',
  'comment',
  'write_project',
  'write_code',
  'owner',
])

/** The words of a sandbox that a search looks at. The index and the query have to say exactly the same. */
export function sandboxText({ title, description }: { title: SQLWrapper; description: SQLWrapper }): SQL {
  return sql`to_tsvector('simple', coalesce(${title}, '') || ' ' || coalesce(${description}, ''))`
}

/** A place in a repository that a sandbox came from or goes to. */
export const gits = pgTable(
  'gits',
  {
    id: uuid('id').primaryKey(),
    username: text('username').notNull(),
    repo: text('repo').notNull(),
    branch: text('branch').notNull(),
    /** Folder in the repository; empty for its root. */
    path: text('path').notNull().default(''),
    commitSha: text('commit_sha'),
    insertedAt: insertedAt(),
  },
  (table) => [index('gits_place').on(table.username, table.repo, table.branch)],
)

export const sandboxes = pgTable(
  'sandboxes',
  {
    /** Six lower-case letters and digits; also the id of the box of a devbox. */
    id: text('id').primaryKey(),
    /** A name in addresses that its owner chose, beside the one that follows from the title. */
    chosenAlias: text('chosen_alias'),
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
    /** The folder it is in. Without one it is a draft, which only its author finds. */
    collectionId: uuid('collection_id').references(() => collections.id, { onDelete: 'set null' }),
    /** Name of the official template it descends from. */
    template: text('template'),
    /** What it runs on, one word: node, static, create-react-app. Null for what its template says. */
    environment: text('environment'),
    /** The file to show first. Null for what its template says. */
    entry: text('entry'),
    forkedFromId: text('forked_from_id'),
    sourceId: uuid('source_id').notNull().defaultRandom(),
    gitId: uuid('git_id').references(() => gits.id, { onDelete: 'set null' }),
    originalGitId: uuid('original_git_id').references(() => gits.id, { onDelete: 'set null' }),
    baseGitId: uuid('base_git_id').references(() => gits.id, { onDelete: 'set null' }),
    prNumber: integer('pr_number'),
    tags: text('tags').array().notNull().default([]),
    externalResources: text('external_resources').array().notNull().default([]),
    /** Grows with every change of the files of a browser-only sandbox. */
    version: integer('version').notNull().default(0),
    alwaysOn: boolean('always_on').notNull().default(false),
    /** Null for what the workspace says. */
    aiConsent: boolean('ai_consent'),
    preventSandboxExport: boolean('prevent_sandbox_export').notNull().default(false),
    preventSandboxLeaving: boolean('prevent_sandbox_leaving').notNull().default(false),
    vmTier: integer('vm_tier'),
    viewCount: integer('view_count').notNull().default(0),
    forkCount: integer('fork_count').notNull().default(0),
    likeCount: integer('like_count').notNull().default(0),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
    /** When it was moved to the trash. */
    removedAt: moment('removed_at'),
  },
  (table) => [
    index('sandboxes_team').on(table.teamId, table.updatedAt),
    index('sandboxes_author').on(table.authorId, table.updatedAt),
    index('sandboxes_collection').on(table.collectionId),
    index('sandboxes_forked_from').on(table.forkedFromId),
    uniqueIndex('sandboxes_chosen_alias').on(sql`lower(${table.chosenAlias})`),
    index('sandboxes_search').using('gin', sandboxText(table)),
  ],
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

/** A folder of a browser-only sandbox. */
export const sandboxDirectories = pgTable(
  'sandbox_directories',
  {
    id: uuid('id').primaryKey(),
    sandboxId: text('sandbox_id')
      .notNull()
      .references(() => sandboxes.id, { onDelete: 'cascade' }),
    shortid: text('shortid').notNull(),
    title: text('title').notNull(),
    directoryShortid: text('directory_shortid'),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('sandbox_directories_shortid').on(table.sandboxId, table.shortid),
    uniqueIndex('sandbox_directories_title').on(
      table.sandboxId,
      sql`coalesce(${table.directoryShortid}, '')`,
      table.title,
    ),
  ],
)

/** A file of a browser-only sandbox. The code of a binary one is the address of its upload. */
export const sandboxModules = pgTable(
  'sandbox_modules',
  {
    id: uuid('id').primaryKey(),
    sandboxId: text('sandbox_id')
      .notNull()
      .references(() => sandboxes.id, { onDelete: 'cascade' }),
    shortid: text('shortid').notNull(),
    title: text('title').notNull(),
    directoryShortid: text('directory_shortid'),
    code: text('code').notNull().default(''),
    isBinary: boolean('is_binary').notNull().default(false),
    uploadId: uuid('upload_id'),
    sha: text('sha'),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('sandbox_modules_shortid').on(table.sandboxId, table.shortid),
    uniqueIndex('sandbox_modules_title').on(table.sandboxId, sql`coalesce(${table.directoryShortid}, '')`, table.title),
  ],
)

/** Someone outside the workspace, or with more rights than it gives. */
export const sandboxCollaborators = pgTable(
  'sandbox_collaborators',
  {
    id: uuid('id').primaryKey(),
    sandboxId: text('sandbox_id')
      .notNull()
      .references(() => sandboxes.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    authorization: sandboxAuthorization('authorization').notNull(),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('sandbox_collaborators_user').on(table.sandboxId, table.userId),
    index('sandbox_collaborators_of').on(table.userId),
  ],
)

export const sandboxInvitations = pgTable(
  'sandbox_invitations',
  {
    id: uuid('id').primaryKey(),
    sandboxId: text('sandbox_id')
      .notNull()
      .references(() => sandboxes.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    authorization: sandboxAuthorization('authorization').notNull(),
    token: text('token').notNull(),
    invitedById: uuid('invited_by_id').references(() => users.id, { onDelete: 'set null' }),
    insertedAt: insertedAt(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('sandbox_invitations_email').on(table.sandboxId, sql`lower(${table.email})`),
    uniqueIndex('sandbox_invitations_token').on(table.token),
  ],
)

export const sandboxLikes = pgTable(
  'sandbox_likes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sandboxId: text('sandbox_id')
      .notNull()
      .references(() => sandboxes.id, { onDelete: 'cascade' }),
    insertedAt: insertedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.sandboxId] }),
    index('sandbox_likes_sandbox').on(table.sandboxId),
  ],
)

/** A sandbox that was made a template of its workspace. */
export const customTemplates = pgTable(
  'custom_templates',
  {
    id: uuid('id').primaryKey(),
    sandboxId: text('sandbox_id')
      .notNull()
      .references(() => sandboxes.id, { onDelete: 'cascade' }),
    title: text('title'),
    description: text('description'),
    color: text('color'),
    iconUrl: text('icon_url'),
    published: boolean('published').notNull().default(false),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('custom_templates_sandbox').on(table.sandboxId)],
)

/** A template someone, or a workspace, wants to find again. Official ones are no rows, so there is no reference to them. */
export const templateBookmarks = pgTable(
  'template_bookmarks',
  {
    id: uuid('id').primaryKey(),
    templateId: uuid('template_id').notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    teamId: uuid('team_id').references(() => teams.id, { onDelete: 'cascade' }),
    insertedAt: insertedAt(),
  },
  (table) => [
    uniqueIndex('template_bookmarks_user')
      .on(table.userId, table.templateId)
      .where(sql`${table.userId} is not null`),
    uniqueIndex('template_bookmarks_team')
      .on(table.teamId, table.templateId)
      .where(sql`${table.teamId} is not null`),
  ],
)

/** Shown on the explore page because a curator chose it. */
export const sandboxPicks = pgTable(
  'sandbox_picks',
  {
    id: uuid('id').primaryKey(),
    sandboxId: text('sandbox_id')
      .notNull()
      .references(() => sandboxes.id, { onDelete: 'cascade' }),
    curatorId: uuid('curator_id').references(() => users.id, { onDelete: 'set null' }),
    title: text('title').notNull(),
    description: text('description').notNull(),
    insertedAt: insertedAt(),
  },
  (table) => [index('sandbox_picks_sandbox').on(table.sandboxId)],
)
