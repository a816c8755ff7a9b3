import { decode, encode, wireOperationSchema } from '@boxyard/protocol'
import { z } from 'zod'

const author = z.object({ client: z.string(), sequence: z.number() })
const accepted = z.object({ operation: wireOperationSchema, revision: z.number(), author: author.optional() })

/**
 * What the journal remembers. A document has records from its first unsaved operation until it is saved and closed; replaying the
 * records in order gives every open or unsaved document as it was.
 */
const recordSchema = z.discriminatedUnion('kind', [
  /**
   * A document as a whole. `savedText` is what its file holds; left out when it equals `text`. `saving` is what is being written to
   * the file at this moment.
   */
  z.object({
    kind: z.literal('document'),
    id: z.string(),
    path: z.string(),
    text: z.string(),
    savedText: z.string().optional(),
    saving: z.string().optional(),
    revision: z.number(),
    operations: z.array(accepted),
    lastAccepted: z.array(z.object({ client: z.string(), sequence: z.number(), revision: z.number() })),
  }),
  /** An accepted operation, already rebased. */
  z.object({ kind: z.literal('operation'), id: z.string(), operation: wireOperationSchema, author: author.optional() }),
  /** The file was changed by something else: what it holds now, and what that means for the text. */
  z.object({
    kind: z.literal('disk'),
    id: z.string(),
    savedText: z.string(),
    operation: wireOperationSchema.optional(),
  }),
  /** The text as of here is about to be written to the file. Without a `saved` behind it the file may be torn. */
  z.object({ kind: z.literal('saving'), id: z.string() }),
  z.object({ kind: z.literal('saved'), id: z.string() }),
  z.object({ kind: z.literal('path'), id: z.string(), path: z.string() }),
  /** Saved and closed. */
  z.object({ kind: z.literal('forgotten'), id: z.string() }),
  /** Ids of tree nodes that can't be derived from their paths. Null: the path has its derived id again. */
  z.object({ kind: z.literal('ids'), ids: z.array(z.tuple([z.string(), z.string().nullable()])) }),
])
export type JournalRecord = z.infer<typeof recordSchema>

export const encodeRecord = (record: JournalRecord): Uint8Array => encode(record)

export const decodeRecord = (bytes: Uint8Array): JournalRecord => recordSchema.parse(withoutNil(decode(bytes)))

/** Absent members are nil on the wire of msgpack. Nil has a meaning only inside arrays here. */
function withoutNil(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}
