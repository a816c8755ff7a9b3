import zlib from 'browserify-zlib'
import { notInBrowser } from '../nodeError.ts'
import { checkInteger, viewed, wrongType } from './check.ts'
import type { Loose } from '../loose.ts'

const NAMES = ['deflate', 'inflate', 'deflateRaw', 'inflateRaw', 'gzip', 'gunzip', 'unzip']

/** The class of bytes that the package itself makes and asks for; where tests run it is not the one of a page. */
let known: BufferConstructor | undefined
const ownClass = (): BufferConstructor => (known ??= zlib.deflateSync('').constructor as BufferConstructor)

/** What Node takes: texts, and bytes of every kind. The package knows one kind alone. */
function bytesOf(given: unknown): string | Uint8Array {
  if (typeof given === 'string') return given
  if (given instanceof ArrayBuffer) return ownClass().from(given)
  if (ArrayBuffer.isView(given)) return ownClass().from(given.buffer as ArrayBuffer, given.byteOffset, given.byteLength)
  throw wrongType('buffer', 'of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer', given)
}

const missing = () => {
  throw notInBrowser('Brotli')
}

/** Options as the package takes them. */
function optionsOf(given: Loose): Loose {
  const { dictionary } = (typeof given === 'object' && given) || {}
  if (dictionary === undefined) return given
  if (!(dictionary instanceof ArrayBuffer) && !ArrayBuffer.isView(dictionary))
    throw wrongType('options.dictionary', 'an instance of Buffer, TypedArray, DataView, or ArrayBuffer', dictionary)
  return { ...given, dictionary: bytesOf(dictionary) }
}

const takingBytes = (name: string) => {
  const work = zlib[name] as (bytes: unknown, ...more: unknown[]) => unknown
  return [
    name,
    (given: unknown, options: Loose, ...more: unknown[]) => work(bytesOf(given), checked(name, options), ...more),
  ] as const
}
const checked = (name: string, given: Loose): Loose => {
  const options = optionsOf(given)
  if (options?.dictionary && /^inflateRaw/i.test(name)) throw notInBrowser('A dictionary of inflateRaw')
  return options
}

const classes = ['Deflate', 'Inflate', 'DeflateRaw', 'InflateRaw', 'Gzip', 'Gunzip', 'Unzip'].flatMap((name) => {
  const Kind = zlib[name] as Loose
  const make = (options: Loose): Loose => new Kind(checked(name, options))
  // Programs call them with and without `new`, and make classes of their own from them in both ways.
  const Callable: Loose = new Proxy(Kind as object, {
    apply: (_kind, self, [options]) =>
      (self instanceof Kind ? Kind.call(self, checked(name, options)) : make(options)) as object,
    construct: (_kind, [options], target) => Reflect.construct(Kind, [checked(name, options)], target) as object,
  })
  return [
    [name, Callable],
    [`create${name}`, make],
  ] as const
})

const BROTLI = [
  'createBrotliCompress',
  'createBrotliDecompress',
  'brotliCompress',
  'brotliDecompress',
  'brotliCompressSync',
  'brotliDecompressSync',
]

const numbers = Object.fromEntries(
  Object.entries(zlib as Loose).filter(([name, value]) => name.startsWith('Z_') && typeof value === 'number'),
)

/** What a byte does to the sum, for each byte. */
const sums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1
  return sum
})

function crc32(data: unknown, before: unknown = 0): number {
  if (typeof data !== 'string' && !ArrayBuffer.isView(data))
    throw wrongType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
  checkInteger('value', before, 0, 2 ** 32 - 1)
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : viewed(data)
  return (bytes.reduce((sum, byte) => sums[(sum ^ byte) & 0xff]! ^ (sum >>> 8), ~(before as number)) ^ -1) >>> 0
}

/** Node's `zlib`, without Brotli. */
export const zlibModule: Loose = {
  ...zlib,
  ...Object.fromEntries(NAMES.flatMap((name) => [name, `${name}Sync`]).map(takingBytes)),
  ...Object.fromEntries(classes),
  ...Object.fromEntries(BROTLI.map((name) => [name, missing])),
  crc32,
  constants: Object.freeze(numbers),
}
