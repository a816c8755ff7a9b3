import type { Builder } from '../graphql/builder.ts'
import type { albums } from '../database/schema.ts'

export type AlbumRow = typeof albums.$inferSelect

/** The types of this domain, so that others can refer to them before they have fields. */
export function albumsTypes(builder: Builder) {
  const album = builder.objectRef<AlbumRow>('Album')
  return { album }
}
