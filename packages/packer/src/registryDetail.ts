import type { Readable } from 'node:stream'
import { z } from 'zod'

const MAX_BYTES = 64 * 1024
const MAX_LETTERS = 500
/** What is said of a registry that says nothing. */
const USUAL = 'Make sure the right auth token and URL are set.'

const failureSchema = z.union([
  z.object({ error: z.string().min(1) }).transform(({ error }) => error),
  z.object({ errors: z.object({ detail: z.string().min(1) }) }).transform(({ errors }) => errors.detail),
])

/** Why a registry refuses, as the body of its answer says it in `error` or `errors.detail`. */
export async function registryDetail(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) return USUAL
    chunks.push(chunk)
  }
  try {
    const said = failureSchema.safeParse(JSON.parse(Buffer.concat(chunks).toString()))
    return said.success ? said.data.slice(0, MAX_LETTERS) : USUAL
  } catch (error) {
    if (error instanceof SyntaxError) return USUAL
    throw error
  }
}
