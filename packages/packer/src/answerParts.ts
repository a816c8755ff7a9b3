import type { Readable } from 'node:stream'
import { PackerError } from './errors.ts'

/** The body of an answer part by part. What breaks off in the middle is no answer. @throws PackerError UPSTREAM */
export async function* answerParts(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>
  } catch (cause) {
    throw new PackerError('UPSTREAM', 'the answer broke off', { cause })
  }
}
