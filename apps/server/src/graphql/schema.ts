import { defineAccounts } from '../accounts/graphql.ts'
import { defineAlbums } from '../albums/graphql.ts'
import { defineBilling } from '../billing/graphql.ts'
import { defineCollections } from '../collections/graphql.ts'
import { defineComments } from '../comments/graphql.ts'
import { defineFlags } from '../flags/graphql.ts'
import { defineLikes } from '../likes/graphql.ts'
import { defineLive } from '../live/graphql.ts'
import { defineNotifications } from '../notifications/graphql.ts'
import { defineRegistries } from '../registries/graphql.ts'
import { defineRepositories } from '../repositories/graphql.ts'
import { defineReviews } from '../reviews/graphql.ts'
import { defineSandboxes } from '../sandboxes/graphql.ts'
import { defineSubscriptions } from '../subscriptions/graphql.ts'
import { defineWorkspaces } from '../workspaces/graphql.ts'
import type { GraphQLSchema } from 'graphql'
import { createBuilder } from './builder.ts'
import { readProperties } from './readProperties.ts'
import { createGraphqlTypes } from './types.ts'

const domains = [
  defineAccounts,
  defineAlbums,
  defineBilling,
  defineCollections,
  defineComments,
  defineFlags,
  defineLikes,
  defineLive,
  defineNotifications,
  defineRegistries,
  defineRepositories,
  defineReviews,
  defineSandboxes,
  defineWorkspaces,
  defineSubscriptions,
]

/** The query API. Names, arguments and nullability are those of the published schema. */
export function createGraphqlSchema(): GraphQLSchema {
  const builder = createBuilder()
  const types = createGraphqlTypes(builder)
  for (const define of domains) define(builder, types)
  return readProperties(builder.toSchema())
}
