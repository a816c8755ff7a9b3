import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { likedSandboxes } from './likes.ts'

/** What the query API says about likes. */
export function defineLikes(builder: Builder, types: GraphqlTypes): void {
  builder.objectField(types.currentUser, 'likedSandboxes', (t) =>
    t.field({
      type: [types.sandbox],
      nullable: false,
      resolve: ({ id }, _args, { database, user }) => likedSandboxes(database, id, user),
    }),
  )
}
