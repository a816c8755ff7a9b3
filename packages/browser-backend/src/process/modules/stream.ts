import readable from 'readable-stream/lib/ours/browser.js'
import type { Loose } from '../loose.ts'

/** Node's streams, as its own project publishes them for other places. */
export const stream: Loose = readable
export const { Readable, Writable, Duplex, Transform, PassThrough } = stream
