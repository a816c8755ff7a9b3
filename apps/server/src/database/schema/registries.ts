import { boolean, pgEnum, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { insertedAt, updatedAt } from '../columns.ts'
import { teams } from './workspaces.ts'

export const registryType = pgEnum('registry_type', ['custom', 'github', 'npm'])
export const registryAuthType = pgEnum('registry_auth_type', ['basic', 'bearer'])

/** Where the private packages of a workspace come from. Its key is encrypted with the key of the installation. */
export const privateRegistries = pgTable(
  'private_registries',
  {
    id: uuid('id').primaryKey(),
    teamId: uuid('team_id')
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    registryType: registryType('registry_type').notNull(),
    registryUrl: text('registry_url'),
    authType: registryAuthType('auth_type'),
    sealedAuthKey: text('sealed_auth_key'),
    enabledScopes: text('enabled_scopes').array().notNull().default([]),
    limitToScopes: boolean('limit_to_scopes').notNull(),
    proxyEnabled: boolean('proxy_enabled').notNull(),
    sandpackTrustedDomains: text('sandpack_trusted_domains').array().notNull().default([]),
    insertedAt: insertedAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('private_registries_team').on(table.teamId)],
)
