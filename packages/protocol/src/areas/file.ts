import { z } from 'zod'
import { method } from '../method.ts'

const id = z.string().min(1).max(200)
/** Offsets in UTF-16 units. */
export const selectionSchema = z.object({
  anchor: z.number().int().nonnegative(),
  head: z.number().int().nonnegative(),
})
export type Selection = z.infer<typeof selectionSchema>
const selections = z.array(selectionSchema).max(10_000)

/** A text operation on the wire: retain (positive), insert (string), delete (negative). Its meaning is checked by the document. */
export const wireOperationSchema = z.array(z.union([z.number().int(), z.string()])).max(1_000_000)

export const OPERATION_BY_USER = 0
export const OPERATION_FROM_DISK = 1
export const OPERATION_RESYNC = 2

export const SELECTION_CONTENT_CHANGE = 0
export const SELECTION_MOVED = 1
export const SELECTION_CLIENT_LEFT = 2

export const fileSchema = z.object({
  id,
  isBinary: z.boolean(),
  content: z.union([z.string(), z.instanceof(Uint8Array)]),
  /** See savedHash(); for binary files any string that changes with the content. */
  savedHash: z.string(),
  clients: z.record(z.string(), z.object({ username: z.string() })),
  /** Null for binary files. */
  document: z
    .object({
      revision: z.number().int().nonnegative(),
      clients: z.record(z.string(), selections.nullable()),
      /**
       * Boxyard's addition: the accepted operations after the revision asked for with `sinceRevision`, when the server still
       * has them all, and how many of them are the caller's own (by `clientKey`), in their order.
       */
      replay: z
        .array(z.object({ operation: wireOperationSchema, revision: z.number().int(), own: z.boolean() }))
        .optional(),
    })
    .nullable(),
})
export type FileObject = z.infer<typeof fileSchema>

const open = {
  isResync: z.boolean().optional(),
  /** Boxyard's addition: ask for the operations after this revision, to replay them instead of guessing from a text diff. */
  sinceRevision: z.number().int().nonnegative().optional(),
}

export const fileMethods = {
  'file/open': method(z.object({ id, ...open }), fileSchema, 'file.open'),
  'file/openByPath': method(z.object({ path: z.string().min(1).max(4096), ...open }), fileSchema, 'file.open'),
  'file/close': method(z.object({ id }), z.null(), 'file.close'),
  'file/save': method(z.object({ id, write: z.boolean().optional() }), z.null(), 'file.save'),
  'file/documentOperation': method(
    z.object({ id, operation: wireOperationSchema, revision: z.number().int() }),
    z.object({ id, revision: z.number().int() }),
    'file.documentOperation',
  ),
  'file/documentAck': method(
    z.object({ id, revision: z.number().int() }),
    z.object({ revision: z.number().int() }),
    'file.documentAck',
  ),
  'file/documentSelection': method(
    z.object({ id, selection: selections, reason: z.number().int().min(0).max(2).optional() }),
    z.null(),
    'file.documentSelection',
  ),
}

const presence = z.object({ id, isBinary: z.boolean(), clientId: z.string(), username: z.string() })

export const fileNotifications = {
  'file/join': presence,
  'file/leave': presence,
  'file/save': z.object({
    id,
    isBinary: z.boolean(),
    content: z.union([z.string(), z.instanceof(Uint8Array)]),
    savedHash: z.string(),
  }),
  'file/documentOperation': z.object({
    id,
    operation: wireOperationSchema,
    revision: z.number().int(),
    reason: z.number().int(),
  }),
  'file/documentSelection': z.object({
    id,
    selections: z.record(z.string(), selections.nullable()),
    reason: z.number().int().optional(),
  }),
}
