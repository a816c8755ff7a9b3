import { z } from 'zod'
import { directorySchema, moduleSchema } from './sandboxFiles.ts'

// What pages that have one sandbox without a machine open, and the server, say to each other: the texts that are edited, who is there,
// files that came, changed or went, and what pages tell each other in channels. One JSON object a frame. The rules stand in apps/server/src/rooms/SPEC.md.

/** Shortid of a file. */
const document = z.string().min(1).max(40)
const revision = z.number().int().nonnegative()
const selection = z
  .array(z.object({ anchor: z.number().int().nonnegative(), head: z.number().int().nonnegative() }))
  .max(10_000)
/** A text operation: retain (positive), insert (string), delete (negative). Its meaning is checked by the document. */
const operation = z.array(z.union([z.number().int(), z.string()])).max(1_000_000)
const author = z.object({ client: z.string().min(1).max(100), sequence: z.number().int().positive() })

/** Pages that are in a channel of one name hear each other, such as those that follow somebody. */
const channel = z.string().min(1).max(500)
/** Characters of one message in a channel. */
export const MOST_CHANNEL_DATA = 64 * 1024
/** JSON, which only pages read. */
const channelData = z.string().max(MOST_CHANNEL_DATA)
/** Channels that one page may be in. */
export const MOST_CHANNELS = 100

export const roomPersonSchema = z.object({
  /** Of one open page. */
  id: z.string(),
  username: z.string(),
  name: z.string(),
  avatarUrl: z.string().nullable(),
  /** A CSS colour, the same for everybody. */
  color: z.string(),
})
export type RoomPerson = z.infer<typeof roomPersonSchema>

export const toRoomSchema = z.discriminatedUnion('type', [
  /**
   * Asks for a text. `since` asks for the operations after a revision in place of the whole; `inFlight` says which operation the room
   * may have taken in without the page knowing.
   */
  z.object({ type: z.literal('open'), document, since: revision.optional(), inFlight: author.optional() }),
  z.object({ type: z.literal('operation'), document, revision, operation, author }),
  z.object({ type: z.literal('select'), document, selection: selection.nullable() }),
  /** Stores the text as the file. Answered with `saved`, which everybody hears, or `failed`. */
  z.object({ type: z.literal('save'), document }),
  z.object({ type: z.literal('enter'), channel }),
  z.object({ type: z.literal('exit'), channel }),
  /** To the others in a channel that this page is in, or to those of them that are named. */
  z.object({
    type: z.literal('say'),
    channel,
    data: channelData,
    to: z.array(z.string().max(40)).max(1000).nullable(),
  }),
])
export type ToRoom = z.infer<typeof toRoomSchema>

export const fromRoomSchema = z.discriminatedUnion('type', [
  /** The first frame: who this page is and who else is there. */
  z.object({
    type: z.literal('joined'),
    self: roomPersonSchema,
    access: z.enum(['read', 'write']),
    people: z.array(roomPersonSchema),
  }),
  /** The second one: the version of the files, and the texts with edits that are not saved. */
  z.object({ type: z.literal('state'), version: z.number().int(), unsaved: z.array(document) }),
  z.object({ type: z.literal('arrived'), person: roomPersonSchema }),
  z.object({ type: z.literal('left'), id: z.string() }),
  /** The answer of `open`: the operations after `since` where they are still known, else the text. */
  z.object({
    type: z.literal('document'),
    document,
    revision,
    state: z.union([
      z.object({ text: z.string(), hasInFlight: z.boolean() }),
      z.object({ operations: z.array(z.object({ revision, operation, author: author.nullable() })) }),
    ]),
    selections: z.record(z.string(), selection),
  }),
  /** To the author of an operation: it is durable. */
  z.object({ type: z.literal('accepted'), document, revision }),
  /** To everybody else. */
  z.object({ type: z.literal('operation'), document, revision, operation }),
  /** An operation or a save did not happen. */
  z.object({ type: z.literal('failed'), document, of: z.enum(['open', 'operation', 'save']), message: z.string() }),
  z.object({ type: z.literal('saved'), document, text: z.string() }),
  z.object({ type: z.literal('selection'), document, person: z.string(), selection: selection.nullable() }),
  /** Files came, changed or went. Not told to the page that did it. */
  z.object({
    type: z.literal('files'),
    modules: z.array(moduleSchema),
    directories: z.array(directorySchema),
    removedModules: z.array(z.string()),
    removedDirectories: z.array(z.string()),
  }),
  /** To those in a channel, when somebody comes or goes: all that are in it, in the order in which they came. */
  z.object({ type: z.literal('members'), channel, members: z.array(z.string()) }),
  z.object({ type: z.literal('said'), channel, from: z.string(), data: channelData }),
  /** It has a machine now, which has its files and texts. There is no room any more: the connection ends. */
  z.object({ type: z.literal('converted') }),
])
export type FromRoom = z.infer<typeof fromRoomSchema>
