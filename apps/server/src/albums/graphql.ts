import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'

/** What the query API says about albums. */
export function defineAlbums(builder: Builder, types: GraphqlTypes): void {
  types.album.implement({
    fields: (t) => ({
      id: t.expose('id', { type: 'ID', nullable: false }),
      title: t.expose('title', { type: 'String', nullable: true }),
    }),
  })
}
