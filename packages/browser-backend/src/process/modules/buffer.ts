import buffer from 'buffer/index.js'
import { codedError } from '../nodeError.ts'
import type { Loose } from '../loose.ts'

const { Buffer } = buffer
const isForAddresses = (encoding: unknown): boolean =>
  typeof encoding === 'string' && encoding.toLowerCase() === 'base64url'
/** It is read as base64, which takes the letters of both. */
const known = (encoding: unknown): unknown => (isForAddresses(encoding) ? 'base64' : encoding)

const isUtf8 = (encoding: unknown): boolean =>
  encoding === undefined || encoding === null || encoding === '' || /^utf-?8$/i.test(String(encoding))
const encoder = new TextEncoder()
/** The package writes every byte of a text into a list first, which no large text has room in. */
const bytesOf = (text: string): unknown => {
  const { buffer: memory, byteOffset, byteLength: size } = encoder.encode(text)
  return from(memory, byteOffset, size)
}
/** Of its bytes as UTF-8, without making them. */
function sizeOf(text: string): number {
  let size = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    size += code < 0x800 ? 1 : 2
    // Two halves of a pair are four bytes, of which two are counted as signs.
    if (code >> 10 === 0x36 && text.charCodeAt(at + 1) >> 10 === 0x37) at += 1
  }
  return size
}

/** What is no text has signs in its place, as many as browsers and Node put there. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
function textOf(bytes: Uint8Array, start: unknown, end: unknown): string {
  const [first, last] = rangeOf(bytes, start, end)
  return first < last ? decoder.decode(bytes.subarray(first, last)) : ''
}
function rangeOf({ length }: Uint8Array, start: unknown, end: unknown): [first: number, last: number] {
  const first = Math.max(0, Math.trunc(Number(start ?? 0)) || 0)
  return [first, end === undefined ? length : Math.min(length, Math.trunc(Number(end)) || 0)]
}

/** Of texts, in characters. */
export const MAX_STRING_LENGTH = 2 ** 29 - 24
/** The package begins to write such a text all the same, and ends the page with it. */
function requireShort(bytes: Uint8Array, start: unknown, end: unknown): void {
  const [first, last] = rangeOf(bytes, start, end)
  if (last - first <= MAX_STRING_LENGTH) return
  const longest = MAX_STRING_LENGTH.toString(16)
  throw codedError('ERR_STRING_TOO_LONG', `Cannot create a string longer than 0x${longest} characters`)
}

const { toString, write, equals } = Buffer.prototype
const own: Loose = { toString, write, equals }
const { from, alloc, byteLength, isEncoding }: Loose = Buffer

// The package does not know the base64 of addresses, in which tokens are written.
Object.assign(Buffer, {
  from: (value: unknown, second?: unknown, third?: unknown) =>
    typeof value === 'string' && isUtf8(second) ? bytesOf(value) : from(value, known(second), third),
  alloc: (size: unknown, fill?: unknown, encoding?: unknown) => alloc(size, fill, known(encoding)),
  byteLength: (value: unknown, encoding?: unknown) =>
    typeof value === 'string' && isUtf8(encoding) ? sizeOf(value) : byteLength(value, known(encoding)),
  isEncoding: (encoding: unknown) => isForAddresses(encoding) || isEncoding(encoding),
})
Object.assign(Buffer.prototype, {
  toString(this: unknown, ...given: unknown[]): string {
    requireShort(this as Uint8Array, given[1], given[2])
    if (isUtf8(given[0])) return textOf(this as Uint8Array, given[1], given[2])
    if (!isForAddresses(given[0])) return own.toString.apply(this, given)
    const text: string = own.toString.call(this, 'base64', given[1], given[2])
    return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  },
  /** Node takes bytes of every class of that kind. */
  equals(this: unknown, other: unknown): boolean {
    const isPlain = other instanceof Uint8Array && !Buffer.isBuffer(other)
    return own.equals.call(this, isPlain ? from(other.buffer, other.byteOffset, other.byteLength) : other)
  },
  write(this: unknown, ...given: unknown[]): number {
    return own.write.apply(this, given.map(known))
  },
})

export { Buffer }
/** Node's `buffer`, as a package has it. */
export const bufferModule = buffer
