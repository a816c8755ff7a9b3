// What processes say. A process is a worker on the origin of the preview that runs code of strangers: it may say anything, so the back end
// takes what it says by this schema alone.
import { z } from 'zod'

const content = z.union([z.string(), z.custom<Uint8Array>((value) => value instanceof Uint8Array)])
const path = z.string().max(4096)
const fileChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('write'), path, content }),
  z.object({ kind: z.literal('mkdir'), path }),
  z.object({ kind: z.literal('remove'), path }),
  z.object({ kind: z.literal('rename'), from: path, to: path }),
])
export type FileChange = z.infer<typeof fileChange>

const portNumber = z.number().int().min(0).max(65_535)
const words = z.array(z.string().max(1_000_000)).max(10_000)
const child = z.number().int()
const id = z.number().int()

/** From a process. */
export const fromProcessSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('out'), fd: z.union([z.literal(1), z.literal(2)]), data: content }),
  z.object({ type: z.literal('exit'), code: z.number().int(), signal: z.string().max(20).nullable() }),
  /** It has heard a signal, and may go on all the same. */
  z.object({ type: z.literal('took') }),
  z.object({ type: z.literal('write'), change: fileChange }),
  z.object({
    type: z.literal('spawn'),
    child,
    /** One of the numbers that it was given for its children, for who has to know it at once. */
    pid: z.number().int().optional(),
    program: z.enum(['node', 'shell']),
    argv: words,
    env: z.record(z.string(), z.string()),
    cwd: path,
    /** Whether its output goes where the output of its parent goes, and its input comes from there. It ends with its parent in any case. */
    inherits: z.boolean(),
    talks: z.boolean(),
  }),
  z.object({ type: z.literal('child-stdin'), child, data: content.nullable() }),
  z.object({ type: z.literal('child-signal'), child, signal: z.string().max(20) }),
  z.object({ type: z.literal('child-message'), child, value: z.unknown() }),
  z.object({ type: z.literal('message'), value: z.unknown() }),
  /** There will be no more messages, to its parent or to a child. */
  z.object({ type: z.literal('disconnect') }),
  z.object({ type: z.literal('child-disconnect'), child }),
  z.object({ type: z.literal('signal'), id, pid: z.number().int(), signal: z.string().max(20) }),
  z.object({ type: z.literal('processes'), id }),
  z.object({ type: z.literal('listen'), id, port: portNumber }),
  z.object({ type: z.literal('unlisten'), port: portNumber }),
  z.object({ type: z.literal('connect'), id, port: portNumber }),
  z.object({ type: z.literal('dependency'), id, command: z.string().max(500) }),
  z.object({ type: z.literal('versions'), id }),
])
export type FromProcess = z.infer<typeof fromProcessSchema>
