import { codedError } from '../nodeError.ts'
import { Buffer } from './buffer.ts'
import type { Loose } from '../loose.ts'

/** The names of the encodings, as Node has them. */
const NAMES: Readonly<Record<string, string>> = {
  utf8: 'utf8',
  'utf-8': 'utf8',
  ucs2: 'utf16le',
  'ucs-2': 'utf16le',
  utf16le: 'utf16le',
  'utf-16le': 'utf16le',
  latin1: 'latin1',
  binary: 'latin1',
  ascii: 'ascii',
  hex: 'hex',
  base64: 'base64',
  base64url: 'base64url',
}

/** How many bytes at the end of these are the beginning of something that is not whole yet. */
const OPEN: Readonly<Record<string, (bytes: Uint8Array) => number>> = {
  utf8: openOfUtf8,
  utf16le(bytes) {
    const odd = bytes.length % 2
    // The second half of a pair may follow the first one.
    const high = bytes[bytes.length - odd - 1]
    return high !== undefined && high >= 0xd8 && high <= 0xdb ? odd + 2 : odd
  },
  base64: ({ length }) => length % 3,
  base64url: ({ length }) => length % 3,
}

function openOfUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back]!
    // What continues a character belongs to the one that begins before it.
    if (byte >> 6 === 0b10) continue
    const needed =
      byte >= 0xf0 && byte <= 0xf4 ? 4 : byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xc2 && byte < 0xe0 ? 2 : 1
    if (needed <= back) return 0
    // A second byte that can't follow the first one ends it.
    const second = bytes[bytes.length - back + 1]
    return second === undefined || follows(byte, second) ? back : 0
  }
  return 0
}

function follows(first: number, second: number): boolean {
  if (first === 0xe0) return second >= 0xa0
  if (first === 0xed) return second <= 0x9f
  if (first === 0xf0) return second >= 0x90
  return first !== 0xf4 || second <= 0x8f
}

/** Node's `string_decoder`: text of bytes that come in parts, each character when it is whole. */
export const StringDecoder: Loose = function (this: Loose, encoding?: unknown) {
  const name = NAMES[String(encoding ?? 'utf8').toLowerCase()]
  if (name === undefined) throw codedError('ERR_UNKNOWN_ENCODING', `Unknown encoding: ${String(encoding)}`, TypeError)
  this.encoding = name
  Object.defineProperty(this, OPEN_BYTES, { value: Buffer.alloc(0), writable: true })
}
const OPEN_BYTES = Symbol('bytes that are not whole yet')

Object.assign(StringDecoder.prototype, {
  write(this: Loose, given: unknown): string {
    if (typeof given === 'string') return given
    if (!ArrayBuffer.isView(given))
      throw codedError(
        'ERR_INVALID_ARG_TYPE',
        `The "buf" argument must be an instance of Buffer, TypedArray, or DataView. Received ${String(given)}`,
        TypeError,
      )
    const bytes = Buffer.from(given.buffer as ArrayBuffer, given.byteOffset, given.byteLength)
    const all = this[OPEN_BYTES].length > 0 ? Buffer.concat([this[OPEN_BYTES], bytes]) : bytes
    const end = all.length - (OPEN[this.encoding]?.(all) ?? 0)
    this[OPEN_BYTES] = Buffer.from(all.subarray(end))
    return all.toString(this.encoding, 0, end)
  },
  end(this: Loose, given?: unknown): string {
    const before: string = given === undefined ? '' : this.write(given)
    const rest: string = this[OPEN_BYTES].toString(this.encoding)
    this[OPEN_BYTES] = Buffer.alloc(0)
    return before + rest
  },
  text(this: Loose, bytes: Uint8Array, from: number): string {
    this[OPEN_BYTES] = Buffer.alloc(0)
    return this.write(bytes.subarray(from))
  },
})
Object.defineProperties(StringDecoder.prototype, {
  lastChar: {
    get(this: Loose): Uint8Array {
      const shown = Buffer.alloc(4)
      shown.set(this[OPEN_BYTES])
      return shown
    },
  },
  lastNeed: {
    get(this: Loose): number {
      return this.lastTotal === 0 ? 0 : this.lastTotal - this[OPEN_BYTES].length
    },
  },
  lastTotal: {
    get(this: Loose): number {
      const [first] = this[OPEN_BYTES] as Uint8Array
      if (first === undefined) return 0
      if (this.encoding === 'utf8') return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
      return this.encoding === 'utf16le' ? (this[OPEN_BYTES].length > 1 ? 4 : 2) : 3
    },
  },
})
