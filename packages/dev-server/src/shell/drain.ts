import type { Readable } from 'node:stream'

/** Passes on what a stream has read already: each read is an event of data too. */
export function drain(stream: Readable): void {
  while (stream.read() !== null);
}
