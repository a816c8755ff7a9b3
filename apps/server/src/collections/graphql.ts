import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'

/** What the query API says about folders. */
export function defineCollections(_builder: Builder, types: GraphqlTypes): void {
  types.collection.implement({
    fields: (t) => ({
      id: t.expose('id', { type: 'UUID4', nullable: true }),
      path: t.expose('path', { type: 'String', nullable: false }),
      teamId: t.expose('teamId', { type: 'UUID4', nullable: true }),
    }),
  })
}
