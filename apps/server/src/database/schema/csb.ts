import { index, integer, pgEnum, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, moment, updatedAt } from '../columns.ts'
import { sandboxes, teams, users } from '../schema.ts'

/** Keys of programs, each for one workspace. Only the SHA-256 of a key is kept. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    /** Who made it: the key may do nothing that this person may not do. */
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    description: text('description'),
    keyHash: text('key_hash').notNull(),
    scopes: text('scopes').array().notNull(),
    expiresAt: moment('expires_at'),
    lastUsedAt: moment('last_used_at'),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('api_keys_hash').on(table.keyHash), index('api_keys_team').on(table.teamId)],
)

/** Tokens that let whoever has one look at the previews of one sandbox. */
export const hostTokens = pgTable(
  'host_tokens',
  {
    id: uuid('id').primaryKey(),
    sandboxId: text('sandbox_id')
      .notNull()
      .references(() => sandboxes.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull(),
    prefix: text('prefix').notNull(),
    expiresAt: moment('expires_at'),
    lastUsedAt: moment('last_used_at'),
    insertedAt: insertedAt(),
  },
  (table) => [uniqueIndex('host_tokens_hash').on(table.tokenHash), index('host_tokens_sandbox').on(table.sandboxId)],
)

export const portVisibility = pgEnum('port_visibility', ['private', 'workspace', 'public'])

/** Who may look at a port of a sandbox, where that differs from who may look at the sandbox. Port 0 is every port without a row. */
export const portPolicies = pgTable(
  'port_policies',
  {
    sandboxId: text('sandbox_id')
      .notNull()
      .references(() => sandboxes.id, { onDelete: 'cascade' }),
    port: integer('port').notNull(),
    visibility: portVisibility('visibility').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.sandboxId, table.port] })],
)

/** Host names of pages that may use the preview API of a workspace's sandboxes. */
export const previewHosts = pgTable(
  'preview_hosts',
  {
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    host: text('host').notNull(),
    insertedAt: insertedAt(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.host] })],
)

/** A name for machines that were built to be forked: `pt_` and random letters. */
export const vmTags = pgTable('vm_tags', {
  id: text('id').primaryKey(),
  teamId: uuid('team_id')
    .notNull()
    .references(() => teams.id, { onDelete: 'cascade' }),
  sandboxIds: text('sandbox_ids').array().notNull(),
  insertedAt: insertedAt(),
})

/** `namespace@alias`, which can be pointed to another tag. */
export const vmAliases = pgTable(
  'vm_aliases',
  {
    id: uuid('id').primaryKey(),
    namespace: text('namespace').notNull(),
    alias: text('alias').notNull(),
    tagId: text('tag_id')
      .notNull()
      .references(() => vmTags.id, { onDelete: 'cascade' }),
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('vm_aliases_name').on(table.namespace, table.alias)],
)
