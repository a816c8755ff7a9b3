import type { Readable } from 'node:stream'
import { PackerError } from './errors.ts'
import { isTimeout } from './isTimeout.ts'

/** The body of an answer part by part. What breaks off in the middle is no answer. @throws PackerError UPSTREAM, or TOO_SLOW */
export async function* answerParts(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>
  } catch (cause) {
    if (isTimeout(cause)) throw new PackerError('TOO_SLOW', undefined, { cause })
    throw new PackerError('UPSTREAM', 'the answer broke off', { cause })
  }
}
