import { packRequestSchema, sourceTreeRequestSchema, typePackRequestSchema } from '@boxyard/packer'
import type { PackRequest, SourceTreeRequest, TypePackRequest } from '@boxyard/packer'
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { z } from 'zod'
import type { ProjectFiles } from './projectFiles.ts'

/** To look through a project takes well under a second where nobody else wants the processor; what takes longer or more is meant to do harm. */
const MAX_MS = 60_000
/** As `nice` counts: a third of the processor where somebody else wants it. */
export const LOOK_PRIORITY = 5
const MAX_HEAP_MIB = 512
const MAX_ANSWER = 16 * 1024 * 1024

/** The first page of a project, compiled, as the page and what compiles in browsers take it. */
export const pageAheadSchema = z.object({
  page: z.object({
    html: z.string(),
    entries: z.array(z.string()),
    env: z.record(z.string(), z.union([z.string(), z.boolean()])),
    assets: z.array(z.tuple([z.string(), z.string()])),
  }),
  compilation: z.object({
    project: z.string(),
    modules: z.array(z.looseObject({ module: z.looseObject({ id: z.string(), code: z.string() }) })),
  }),
})
export type PageAhead = z.infer<typeof pageAheadSchema>

export interface Ahead {
  /** What its preview will ask the packer for. */
  questions: PackRequest[]
  /** What its server will find in node_modules; null where none starts by itself. */
  sources: SourceTreeRequest | null
  /** The declarations that its editor will ask for; null without any. */
  types: TypePackRequest | null
  /** Null where it has to be compiled by whoever opens it. */
  ahead: PageAhead | null
}

/** A project may name what no request may: those are left out. */
const answerSchema = z.object({
  questions: z.array(z.unknown()).max(1000),
  sources: z.unknown().optional(),
  types: z.unknown().optional(),
  ahead: pageAheadSchema.nullable(),
})

/**
 * What the preview of a project needs. The compiler that finds it out gets code of anybody to read, so it is a process of its own without
 * anything of the server's, which ends when it takes too long or too much. Rejects then, with an Error that says so.
 */
export async function lookInProcess(script: string, files: ProjectFiles): Promise<Ahead> {
  const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MIB}`, script], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: MAX_MS,
    killSignal: 'SIGKILL',
  })
  // Whoever opens the project meanwhile compiles it too, and is in more of a hurry.
  if (child.pid !== undefined) setPriority(child.pid, LOOK_PRIORITY)
  const said: Buffer[] = []
  let length = 0
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > MAX_ANSWER) child.kill('SIGKILL')
    else said.push(chunk)
  })
  // It ended before it read everything, which its end says better.
  child.stdin.on('error', () => undefined)
  child.stdin.end(JSON.stringify(files))
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...end) => resolve(end))
  })
  if (status !== 0) throw new Error(`the process that looks through a project ended with ${status ?? signal}`)
  const { questions, sources, types, ahead } = answerSchema.parse(JSON.parse(Buffer.concat(said).toString()))
  const requests = questions.flatMap((one) => {
    const request = packRequestSchema.safeParse(one)
    return request.success ? [request.data] : []
  })
  return {
    questions: requests,
    sources: sourceTreeRequestSchema.safeParse({ dependencies: sources }).data ?? null,
    types: typePackRequestSchema.safeParse({ dependencies: types }).data ?? null,
    ahead: requests.length === questions.length ? ahead : null,
  }
}
