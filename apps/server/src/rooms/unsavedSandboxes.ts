import { and, inArray, sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { roomDocuments } from '../database/schema.ts'

/** A text whose file does not have all of what was written. */
export const isUnsaved = sql`(${roomDocuments.text} <> ${roomDocuments.saved} or ${roomDocuments.revision} > ${roomDocuments.textRevision})`

/** Those of these sandboxes in which a text is not saved. */
export async function unsavedSandboxes(database: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await database
    .selectDistinct({ id: roomDocuments.sandboxId })
    .from(roomDocuments)
    .where(and(inArray(roomDocuments.sandboxId, [...ids]), isUnsaved))
  return new Set(rows.map(({ id }) => id))
}
