import buffer from 'buffer/index.js'
import type { Loose } from '../loose.ts'

const { Buffer } = buffer
const isForAddresses = (encoding: unknown): boolean =>
  typeof encoding === 'string' && encoding.toLowerCase() === 'base64url'
/** It is read as base64, which takes the letters of both. */
const known = (encoding: unknown): unknown => (isForAddresses(encoding) ? 'base64' : encoding)

const own: Loose = { toString: Buffer.prototype.toString, write: Buffer.prototype.write }
const { from, alloc, byteLength, isEncoding }: Loose = Buffer

// The package does not know the base64 of addresses, in which tokens are written.
Object.assign(Buffer, {
  from: (value: unknown, second?: unknown, third?: unknown) => from(value, known(second), third),
  alloc: (size: unknown, fill?: unknown, encoding?: unknown) => alloc(size, fill, known(encoding)),
  byteLength: (value: unknown, encoding?: unknown) => byteLength(value, known(encoding)),
  isEncoding: (encoding: unknown) => isForAddresses(encoding) || isEncoding(encoding),
})
Object.assign(Buffer.prototype, {
  toString(this: unknown, ...given: unknown[]): string {
    if (!isForAddresses(given[0])) return own.toString.apply(this, given)
    const text: string = own.toString.call(this, 'base64', given[1], given[2])
    return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  },
  write(this: unknown, ...given: unknown[]): number {
    return own.write.apply(this, given.map(known))
  },
})

export { Buffer }
/** Node's `buffer`, as a package has it. */
export const bufferModule = buffer
