import readable from 'readable-stream/lib/ours/browser.js'
import type { Loose } from '../loose.ts'

/** Node's streams, as its own project publishes them for other places. */
export const stream: Loose = readable

/** What that project leaves out: a stream of Node as one of the web, and the other way. */
stream.Readable.toWeb = (given: AsyncIterable<unknown> & { destroy(error?: Error): void }): ReadableStream => {
  const reading = given[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reading.next()
        if (done) controller.close()
        // Bytes of Node have a class of their own, which the web does not know.
        else
          controller.enqueue(
            ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : value,
          )
      },
      cancel: (reason) => given.destroy(reason instanceof Error ? reason : undefined),
    },
    { highWaterMark: 0 },
  )
}
/** What failed or has ended has nothing left to give up, and only says the same again. */
function giveUp(reader: ReadableStreamDefaultReader, error: unknown): void {
  reader.cancel(error).catch(() => undefined)
}
stream.Readable.fromWeb = (given: ReadableStream, options: object = {}): Loose => {
  const reader = given.getReader()
  return new stream.Readable({
    ...options,
    read(this: Loose) {
      reader.read().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: unknown) => this.destroy(error),
      )
    },
    destroy(error: unknown, done: (error: unknown) => void) {
      giveUp(reader, error)
      done(error)
    },
  })
}
export const { Readable, Writable, Duplex, Transform, PassThrough } = stream
