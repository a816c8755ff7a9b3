import { foreignKey, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { updatedAt } from '../columns.ts'
import { sandboxModules } from './sandboxes.ts'

/**
 * A file of a sandbox without a machine that somebody has edited. Its text now is `text` and the operations behind `textRevision`.
 * Texts are kept as JSON: an edit may leave half a surrogate pair or a NUL for a moment, which the database does not take as they are.
 */
export const roomDocuments = pgTable(
  'room_documents',
  {
    sandboxId: text('sandbox_id').notNull(),
    shortid: text('shortid').notNull(),
    text: text('text').notNull(),
    textRevision: integer('text_revision').notNull(),
    /** The last operation that was accepted from each client up to `textRevision`, as JSON. */
    lastAccepted: text('last_accepted').notNull(),
    revision: integer('revision').notNull(),
    /** What the file holds, as far as the text has taken it in. */
    saved: text('saved').notNull(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.sandboxId, table.shortid] }),
    foreignKey({
      name: 'room_documents_module',
      columns: [table.sandboxId, table.shortid],
      foreignColumns: [sandboxModules.sandboxId, sandboxModules.shortid],
    }).onDelete('cascade'),
  ],
)

/** The edits of a text in the order of their revisions: what was acknowledged is a row here. */
export const roomOperations = pgTable(
  'room_operations',
  {
    sandboxId: text('sandbox_id').notNull(),
    shortid: text('shortid').notNull(),
    revision: integer('revision').notNull(),
    operation: text('operation').notNull(),
    /** Null for what came with the file. */
    client: text('client'),
    sequence: integer('sequence'),
  },
  (table) => [
    primaryKey({ columns: [table.sandboxId, table.shortid, table.revision] }),
    foreignKey({
      name: 'room_operations_document',
      columns: [table.sandboxId, table.shortid],
      foreignColumns: [roomDocuments.sandboxId, roomDocuments.shortid],
    }).onDelete('cascade'),
  ],
)
