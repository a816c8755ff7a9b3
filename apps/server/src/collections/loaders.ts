import { and, count, inArray, isNull } from 'drizzle-orm'
import { sandboxes } from '../database/schema.ts'
import { defineCountLoader, defineListLoader, defineRowLoader } from '../graphql/loader.ts'
import { collectionsIn, findCollections } from './collections.ts'

export const collectionLoader = defineRowLoader(({ database }, ids) => findCollections(database, ids))

/** The folders of workspaces, by path. */
export const teamCollectionsLoader = defineListLoader(
  ({ database }, teamIds) => collectionsIn(database, teamIds),
  ({ teamId }) => teamId,
)

const inCollections = (ids: readonly string[]) =>
  and(inArray(sandboxes.collectionId, [...ids]), isNull(sandboxes.removedAt))

export const collectionSandboxesLoader = defineListLoader(
  ({ database }, ids) => database.select().from(sandboxes).where(inCollections(ids)).orderBy(sandboxes.updatedAt),
  ({ collectionId }) => collectionId!,
)

export const collectionCountLoader = defineCountLoader(async ({ database }, ids) => {
  const rows = await database
    .select({ id: sandboxes.collectionId, total: count() })
    .from(sandboxes)
    .where(inCollections(ids))
    .groupBy(sandboxes.collectionId)
  return new Map(rows.map(({ id, total }) => [id!, total]))
})
