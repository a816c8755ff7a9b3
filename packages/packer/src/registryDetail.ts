import type { Readable } from 'node:stream'
import { z } from 'zod'
import { answerParts } from './answerParts.ts'
import { PackerError } from './errors.ts'

const MAX_BYTES = 64 * 1024
const MAX_LETTERS = 500
/** What is said of a registry that says nothing. */
export const USUAL_DETAIL = 'Make sure the right auth token and URL are set.'

const failureSchema = z.union([
  z.object({ error: z.string().min(1) }).transform(({ error }) => error),
  z.object({ errors: z.object({ detail: z.string().min(1) }) }).transform(({ errors }) => errors.detail),
])

/** Why a registry refuses, as the body of its answer says it in `error` or `errors.detail`. */
export async function registryDetail(body: Readable): Promise<string> {
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answerParts(body)) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) return USUAL_DETAIL
      chunks.push(chunk)
    }
    const said = failureSchema.safeParse(JSON.parse(Buffer.concat(chunks).toString()))
    return said.success ? said.data.slice(0, MAX_LETTERS) : USUAL_DETAIL
  } catch (error) {
    // A body that is no JSON or breaks off says nothing; that it is a refusal is known already.
    if (error instanceof SyntaxError || error instanceof PackerError) return USUAL_DETAIL
    throw error
  }
}
