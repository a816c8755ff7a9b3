import type { Builder } from '../graphql/builder.ts'
import type { collections } from '../database/schema.ts'

export type CollectionRow = typeof collections.$inferSelect

/** The types of this domain, so that others can refer to them before they have fields. */
export function collectionsTypes(builder: Builder) {
  const collection = builder.objectRef<CollectionRow>('Collection')
  return { collection }
}
