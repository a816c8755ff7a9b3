import zlib from 'browserify-zlib'
import { codedError, notInBrowser } from '../nodeError.ts'
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
  throw codedError(
    'ERR_INVALID_ARG_TYPE',
    'The "buffer" argument must be of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer',
    TypeError,
  )
}

const missing = () => {
  throw notInBrowser('Brotli')
}

const takingBytes = (name: string) => {
  const work = zlib[name] as (bytes: unknown, ...more: unknown[]) => unknown
  return [name, (given: unknown, ...more: unknown[]) => work(bytesOf(given), ...more)] as const
}

/** Node's `zlib`, without Brotli. */
export const zlibModule: Loose = {
  ...zlib,
  ...Object.fromEntries(NAMES.flatMap((name) => [name, `${name}Sync`]).map(takingBytes)),
  createBrotliCompress: missing,
  createBrotliDecompress: missing,
  brotliCompressSync: missing,
  brotliDecompressSync: missing,
  constants: { ...zlib },
}
