import * as z from 'zod/mini'
import type { RunnerPack } from '../common/messages.ts'
import { keptAnswersOf } from '../offline/keptAnswers.ts'
import { CompileError } from './errors.ts'

const part = z.object({
  file: z.nullable(z.string()),
  css: z.nullable(z.string()),
  interop: z.enum(['esm', 'cjs']),
  chunks: z.array(z.string()),
})
const packSchema = z.object({
  id: z.string(),
  imports: z.record(z.string(), part),
  versions: z.record(z.string(), z.string()),
})
const failureSchema = z.object({ error: z.object({ message: z.string(), next: z.optional(z.string()) }) })

export type RequestPack = (request: {
  dependencies: Readonly<Record<string, string>>
  specifiers: readonly string[]
}) => Promise<RunnerPack & { versions: Readonly<Record<string, string>> }>

/** Asks the server for packs. */
export function packRequester(address: string): RequestPack {
  const send = keptAnswersOf(address)?.fetch ?? fetch
  return async (request) => {
    const headers = { 'content-type': 'application/json' }
    const response = await send(address, { method: 'POST', headers, body: JSON.stringify(request) }).catch(() => {
      throw new CompileError({ message: 'The server that packs dependencies does not answer. Reload to try again.' })
    })
    const answer: unknown = await response.json().catch(() => null)
    if (!response.ok) {
      const failure = failureSchema.safeParse(answer)
      const { message, next } = failure.success
        ? failure.data.error
        : { message: `The dependencies could not be packed (${response.status})`, next: undefined }
      throw new CompileError({ message: next === undefined ? message : `${message}. ${next}`, file: '/package.json' })
    }
    return packSchema.parse(typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : answer)
  }
}
