import { DocumentHistory } from '@boxyard/ot'
import type { AcceptedOperation, TextOperation } from '@boxyard/ot'
import { and, asc, eq, gt, lte, ne } from 'drizzle-orm'
import { z } from 'zod'
import type { Database, Queryable, Transaction } from '../database/database.ts'
import { roomDocuments, roomOperations } from '../database/schema.ts'
import { publishEvent } from '../events/publishEvent.ts'
import { subjectOf } from '../events/platformEvent.ts'
import { countVersion, readModule, saveModule, versionOf } from '../sandboxes/sandboxFiles.ts'
import { isUnsaved } from './unsavedSandboxes.ts'

/** Operations after which the text is written down again, so that opening it does not repeat its whole life. */
const COMPACT_AFTER = 256
/** Older operations that are kept for whoever comes back. */
const KEPT = 512

/** Says that a text of a sandbox went on, to the other server processes. */
export const DOCUMENT_CHANGED = 'roomDocumentChanged'

const lastAcceptedSchema = z.array(
  z.object({ client: z.string(), sequence: z.number().int(), revision: z.number().int() }),
)
const operationSchema = z.array(z.union([z.number().int(), z.string()]))
const textSchema = z.string()

/** A text as the database has it. */
export interface StoredText {
  history: DocumentHistory
  saved: string
}

/** What a transaction may do with a text that no other process changes meanwhile. */
export interface LockedText {
  tx: Transaction
  revision: number
}

/** The texts of one sandbox in the database. */
export class DocumentStore {
  readonly #database: Database
  readonly #sandboxId: string
  /** Names this process in the events that it publishes. */
  readonly #origin: string

  constructor(database: Database, sandboxId: string, origin: string) {
    this.#database = database
    this.#sandboxId = sandboxId
    this.#origin = origin
  }

  /** The version of the files, and the texts with edits that no file has. */
  async state(): Promise<{ version: number; unsaved: string[] }> {
    const version = await versionOf(this.#database, this.#sandboxId)
    const rows = await this.#database
      .select({ shortid: roomDocuments.shortid })
      .from(roomDocuments)
      .where(and(eq(roomDocuments.sandboxId, this.#sandboxId), isUnsaved))
    return { version, unsaved: rows.map(({ shortid }) => shortid) }
  }

  /** The text of a file, begun when nobody has edited it yet. Null when there is no such file, or it is no text. */
  async load(shortid: string): Promise<StoredText | null> {
    const module = await this.module(this.#database, shortid)
    if (module === null) return null
    const fresh = JSON.stringify(module)
    await this.#database
      .insert(roomDocuments)
      .values({ ...this.#key(shortid), text: fresh, textRevision: 0, lastAccepted: '[]', revision: 0, saved: fresh })
      .onConflictDoNothing()
    // Both in one snapshot, or an operation of another process could stand in the one and not in the other.
    return this.#database.transaction(
      async (tx) => {
        const [row] = await tx.select().from(roomDocuments).where(this.#at(shortid))
        if (!row) return null
        return storedText(row, await this.operationsSince(tx, shortid, -1))
      },
      { isolationLevel: 'repeatable read' },
    )
  }

  async operationsSince(tx: Queryable, shortid: string, revision: number): Promise<AcceptedOperation[]> {
    const rows = await tx
      .select()
      .from(roomOperations)
      .where(
        and(
          eq(roomOperations.sandboxId, this.#sandboxId),
          eq(roomOperations.shortid, shortid),
          gt(roomOperations.revision, revision),
        ),
      )
      .orderBy(asc(roomOperations.revision))
    return rows.map(storedOperation)
  }

  /** The text of the file itself. Null when there is none. */
  async module(tx: Queryable, shortid: string): Promise<string | null> {
    const module = await readModule(tx, this.#sandboxId, shortid)
    return module && !module.isBinary ? module.code : null
  }

  /** Works on a text while no other process does, all of it or nothing. Null when the file is gone. */
  change<T>(
    shortid: string,
    work: (locked: LockedText) => Promise<T>,
    { isSave = false }: { isSave?: boolean } = {},
  ): Promise<T | null> {
    return this.#database.transaction(async (tx) => {
      if (isSave) await countVersion(tx, this.#sandboxId)
      const [row] = await tx
        .select({ revision: roomDocuments.revision })
        .from(roomDocuments)
        .where(this.#at(shortid))
        .for('update')
      return row ? work({ tx, revision: row.revision }) : null
    })
  }

  /** What the file held when it was last looked at. */
  async saved(tx: Transaction, shortid: string): Promise<string> {
    const [row] = await tx.select({ saved: roomDocuments.saved }).from(roomDocuments).where(this.#at(shortid))
    return textSchema.parse(JSON.parse(row!.saved))
  }

  /** Adds operations that the history has taken in, and writes the text down from time to time. */
  async append(
    tx: Transaction,
    shortid: string,
    operations: readonly AcceptedOperation[],
    history: DocumentHistory,
  ): Promise<void> {
    await tx.insert(roomOperations).values(
      operations.map(({ operation, revision, author }) => ({
        ...this.#key(shortid),
        revision,
        operation: encode(operation),
        client: author?.client ?? null,
        sequence: author?.sequence ?? null,
      })),
    )
    const [row] = await tx
      .update(roomDocuments)
      .set({ revision: history.revision, updatedAt: new Date() })
      .where(this.#at(shortid))
      .returning({ textRevision: roomDocuments.textRevision })
    if (history.revision - row!.textRevision >= COMPACT_AFTER) await this.#compact(tx, shortid, history)
    await this.#tell(tx, shortid)
  }

  /** Notes what the file holds. */
  async setSaved(tx: Transaction, shortid: string, saved: string): Promise<void> {
    await tx
      .update(roomDocuments)
      .set({ saved: JSON.stringify(saved) })
      .where(this.#at(shortid))
    await this.#tell(tx, shortid)
  }

  /** Stores the text as the file. */
  async save(tx: Transaction, shortid: string, history: DocumentHistory): Promise<void> {
    await saveModule(tx, this.#sandboxId, shortid, history.text)
    // Whoever joins is told of texts that are not saved by comparing these.
    await this.#compact(tx, shortid, history)
    await this.setSaved(tx, shortid, history.text)
  }

  async #compact(tx: Transaction, shortid: string, history: DocumentHistory): Promise<void> {
    const { text, revision, lastAccepted } = history.snapshot()
    const values = {
      text: JSON.stringify(text),
      textRevision: revision,
      lastAccepted: JSON.stringify(lastAccepted),
    }
    await tx
      .update(roomDocuments)
      .set(values)
      .where(and(this.#at(shortid), ne(roomDocuments.textRevision, revision)))
    await tx
      .delete(roomOperations)
      .where(
        and(
          eq(roomOperations.sandboxId, this.#sandboxId),
          eq(roomOperations.shortid, shortid),
          lte(roomOperations.revision, revision - KEPT),
        ),
      )
  }

  #tell(tx: Transaction, shortid: string): Promise<void> {
    return publishEvent(tx, {
      type: DOCUMENT_CHANGED,
      subject: subjectOf.sandbox(this.#sandboxId),
      data: { sandboxId: this.#sandboxId, document: shortid, origin: this.#origin },
    })
  }

  #key(shortid: string) {
    return { sandboxId: this.#sandboxId, shortid }
  }

  #at(shortid: string) {
    return and(eq(roomDocuments.sandboxId, this.#sandboxId), eq(roomDocuments.shortid, shortid))
  }
}

/** A text out of its row and its operations, of which those up to the row's revision are its past. */
export function storedText(row: typeof roomDocuments.$inferSelect, all: readonly AcceptedOperation[]): StoredText {
  const history = new DocumentHistory({
    text: textSchema.parse(JSON.parse(row.text)),
    revision: row.textRevision,
    operations: all.filter(({ revision }) => revision <= row.textRevision),
    lastAccepted: lastAcceptedSchema.parse(JSON.parse(row.lastAccepted)),
  })
  for (const { operation, revision, author } of all)
    if (revision > row.textRevision) history.receive(operation, history.revision, author)
  return { history, saved: textSchema.parse(JSON.parse(row.saved)) }
}

export function storedOperation(row: typeof roomOperations.$inferSelect): AcceptedOperation {
  const { operation, revision, client, sequence } = row
  return {
    operation: operationSchema.parse(JSON.parse(operation)),
    revision,
    ...(client !== null && sequence !== null && { author: { client, sequence } }),
  }
}

const encode = (operation: TextOperation): string => JSON.stringify(operation)
