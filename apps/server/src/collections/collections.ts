import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { collections } from '../database/schema.ts'

export type Collection = typeof collections.$inferSelect

/** The folders of workspaces, by path. */
export async function collectionsIn(database: Queryable, teamIds: readonly string[]): Promise<Collection[]> {
  return database
    .select()
    .from(collections)
    .where(inArray(collections.teamId, [...teamIds]))
    .orderBy(sql`${collections.path} collate "C"`)
}

export async function findCollection(database: Queryable, teamId: string, path: string): Promise<Collection | null> {
  const [collection] = await database
    .select()
    .from(collections)
    .where(and(eq(collections.teamId, teamId), eq(collections.path, path)))
  return collection ?? null
}

export async function findCollections(database: Queryable, ids: readonly string[]): Promise<Collection[]> {
  return database
    .select()
    .from(collections)
    .where(inArray(collections.id, [...ids]))
}

/** A folder and every folder in it. */
export async function subtreeOf(database: Queryable, teamId: string, path: string): Promise<Collection[]> {
  return database
    .select()
    .from(collections)
    .where(
      and(
        eq(collections.teamId, teamId),
        or(eq(collections.path, path), sql`starts_with(${collections.path}, ${path === '/' ? '/' : `${path}/`})`),
      ),
    )
}
