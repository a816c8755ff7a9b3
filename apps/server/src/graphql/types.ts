import { accountsTypes } from '../accounts/graphqlTypes.ts'
import { albumsTypes } from '../albums/graphqlTypes.ts'
import { billingTypes } from '../billing/graphqlTypes.ts'
import { collectionsTypes } from '../collections/graphqlTypes.ts'
import { commentsTypes } from '../comments/graphqlTypes.ts'
import { flagsTypes } from '../flags/graphqlTypes.ts'
import { liveTypes } from '../live/graphqlTypes.ts'
import { notificationsTypes } from '../notifications/graphqlTypes.ts'
import { registriesTypes } from '../registries/graphqlTypes.ts'
import { repositoriesTypes } from '../repositories/graphqlTypes.ts'
import { reviewsTypes } from '../reviews/graphqlTypes.ts'
import { sandboxesTypes } from '../sandboxes/graphqlTypes.ts'
import { workspacesTypes } from '../workspaces/graphqlTypes.ts'
import type { Builder } from './builder.ts'

/** Every named type of the query API. Each domain gives its own their fields; any may add fields to the types of others. */
export function createGraphqlTypes(builder: Builder) {
  const types = {
    ...accountsTypes(builder),
    ...albumsTypes(builder),
    ...billingTypes(builder),
    ...collectionsTypes(builder),
    ...commentsTypes(builder),
    ...flagsTypes(builder),
    ...liveTypes(builder),
    ...notificationsTypes(builder),
    ...registriesTypes(builder),
    ...repositoriesTypes(builder),
    ...reviewsTypes(builder),
    ...sandboxesTypes(builder),
    ...workspacesTypes(builder),
  }
  const bookmarkEntity = builder.unionType('BookmarkEntity', {
    types: [types.team, types.user],
    // A workspace has a kind, a person has none.
    resolveType: (entity) => ('kind' in entity ? 'Team' : 'User'),
  })
  return { ...types, bookmarkEntity }
}

export type GraphqlTypes = ReturnType<typeof createGraphqlTypes>
