import { diff, transform } from '@boxyard/ot'
import type { DocumentHistory } from '@boxyard/ot'
import { asc, eq } from 'drizzle-orm'
import type { Transaction } from '../database/database.ts'
import { roomDocuments, roomOperations, sandboxModules } from '../database/schema.ts'
import { storedOperation, storedText } from './documentStore.ts'

/**
 * The texts of a sandbox as people edit them now, saved or not, by the shortid of their file. Nobody changes them until the transaction ends.
 * Whoever calls it holds the lock of the sandbox, which comes before those of texts.
 */
export async function readLiveTexts(tx: Transaction, sandboxId: string): Promise<Map<string, string>> {
  const rows = await tx.select().from(roomDocuments).where(eq(roomDocuments.sandboxId, sandboxId)).for('update')
  if (rows.length === 0) return new Map()
  const operations = await tx
    .select()
    .from(roomOperations)
    .where(eq(roomOperations.sandboxId, sandboxId))
    .orderBy(asc(roomOperations.revision))
  const modules = await tx
    .select({ shortid: sandboxModules.shortid, code: sandboxModules.code, isBinary: sandboxModules.isBinary })
    .from(sandboxModules)
    .where(eq(sandboxModules.sandboxId, sandboxId))
  const files = new Map(modules.map((module) => [module.shortid, module]))
  const texts = new Map<string, string>()
  for (const row of rows) {
    const file = files.get(row.shortid)
    // It became another kind of file since somebody edited it.
    if (!file || file.isBinary) continue
    const own = operations.filter(({ shortid }) => shortid === row.shortid)
    const { history, saved } = storedText(row, own.map(storedOperation))
    texts.set(row.shortid, withFile(history, saved, file.code))
  }
  return texts
}

/** The text with what was written to the file past it, as if both had been typed at the same time. */
function withFile(history: DocumentHistory, saved: string, code: string): string {
  if (code === saved) return history.text
  const [operation] = transform(diff(saved, code), diff(saved, history.text))
  history.receive(operation, history.revision)
  return history.text
}
