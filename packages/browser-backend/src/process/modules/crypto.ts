import { hmac } from '@noble/hashes/hmac.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js'
import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { scrypt } from '@noble/hashes/scrypt.js'
import { sha224, sha256, sha384, sha512, sha512_256 } from '@noble/hashes/sha2.js'
import { sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js'
import { codedError, notInBrowser } from '../nodeError.ts'
import { Buffer } from './buffer.ts'
import { checkBoolean, checkFunction, checkInteger, checkObject, checkString, wrongType, wrongValue } from './check.ts'
import { cipherNames, getCipherInfo, makeCiphers } from './cipher.ts'
import { KeyObject } from './keyObject.ts'
import { received } from './received.ts'
import { Transform } from './stream.ts'
import type { Loose } from '../loose.ts'

const HASHES: Readonly<Record<string, Loose>> = {
  md5,
  ripemd160,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  'sha512-256': sha512_256,
  'sha3-256': sha3_256,
  'sha3-384': sha3_384,
  'sha3-512': sha3_512,
}
/** As much as the browser gives at once. */
const RANDOM_BYTES = 65_536

function hashNamed(name: string): Loose {
  const plain = name
    .toLowerCase()
    .replace(/^rsa-/, '')
    .replace(/^sha-(\d+)$/, 'sha$1')
  const found = Object.hasOwn(HASHES, plain) ? HASHES[plain] : undefined
  if (!found) throw codedError('ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${name}`, TypeError)
  return found
}

function bytesOf(given: Loose, encoding?: string, name = 'data'): Uint8Array {
  if (typeof given === 'string') return Buffer.from(given, encoding as BufferEncoding)
  if (given instanceof ArrayBuffer) return new Uint8Array(given)
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
  if (given instanceof KeyObject) return KeyObject.secretOf(given)
  throw codedError(
    'ERR_INVALID_ARG_TYPE',
    `The "${name}" argument must be of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView.${received(given)}`,
    TypeError,
  )
}

/** A hash, taken in parts. */
class Digest extends Transform {
  readonly engine: Loose
  isDone = false

  constructor(engine: Loose) {
    super()
    this.engine = engine
  }

  update(data: unknown, encoding?: string): this {
    if (this.isDone) throw codedError('ERR_CRYPTO_HASH_FINALIZED', 'Digest already called')
    this.engine.update(bytesOf(data, encoding))
    return this
  }

  digest(encoding?: string): Loose {
    if (this.isDone) throw codedError('ERR_CRYPTO_HASH_FINALIZED', 'Digest already called')
    this.isDone = true
    const made = Buffer.from(this.engine.digest() as Uint8Array)
    return encoding === undefined || encoding === 'buffer' ? made : made.toString(encoding as BufferEncoding)
  }

  copy(): Digest {
    if (this.isDone) throw codedError('ERR_CRYPTO_HASH_FINALIZED', 'Digest already called')
    return new Digest(this.engine.clone())
  }

  _transform(chunk: unknown, encoding: string, done: () => void): void {
    this.update(chunk, encoding)
    done()
  }

  _flush(done: () => void): void {
    this['push'](this.digest())
    done()
  }
}

/** Node gives an empty answer to whoever asks an HMAC again, and an error to whoever asks a hash. */
class Hmac extends Digest {
  override digest(encoding?: string): Loose {
    if (!this.isDone) return super.digest(encoding)
    return encoding === undefined || encoding === 'buffer' ? Buffer.alloc(0) : ''
  }
}

/** As many bytes as a list can have. */
const MOST_BYTES = 2 ** 31 - 1

function checkSize(name: string, size: unknown, most = MOST_BYTES): void {
  if (typeof size !== 'number')
    throw codedError('ERR_INVALID_ARG_TYPE', `The "${name}" argument must be of type number`, TypeError)
  if (!(size >= 0 && size <= most))
    throw codedError(
      'ERR_OUT_OF_RANGE',
      `The value of "${name}" is out of range. It must be >= 0 && <= ${most}. Received ${size}`,
      RangeError,
    )
}

function randomBytes(size: number, done?: (error: Error | null, bytes: Uint8Array) => void): Loose {
  checkSize('size', size)
  const bytes = Buffer.alloc(size)
  for (let start = 0; start < size; start += RANDOM_BYTES)
    globalThis.crypto.getRandomValues(bytes.subarray(start, start + RANDOM_BYTES) as Uint8Array<ArrayBuffer>)
  if (!done) return bytes
  queueMicrotask(() => done(null, bytes))
  return undefined
}

/** Fills `size` elements from `offset` on. */
function randomFillSync(target: Loose, offset = 0, size?: number): Loose {
  const bytes = bytesOf(target)
  const each = (target.BYTES_PER_ELEMENT as number | undefined) ?? 1
  checkSize('offset', offset, bytes.length / each)
  const length = size ?? bytes.length / each - offset
  checkSize('size', length, bytes.length / each - offset)
  bytes.set(randomBytes(length * each) as Uint8Array, offset * each)
  return target
}

function randomFill(target: Loose, ...given: Loose[]): void {
  const done = given.pop() as (error: null, filled: Loose) => void
  checkFunction('callback', done)
  randomFillSync(target, ...(given as number[]))
  queueMicrotask(() => done(null, target))
}

function randomInt(from: number, to?: number | Loose, done?: Loose): Loose {
  const [low, high, callback] = typeof to === 'number' ? [from, to, done] : [0, from, to]
  for (const [name, bound] of Object.entries({ min: low, max: high }))
    if (!Number.isSafeInteger(bound))
      throw codedError('ERR_INVALID_ARG_TYPE', `The "${name}" argument must be a safe integer`, TypeError)
  if (!(low < high))
    throw codedError(
      'ERR_OUT_OF_RANGE',
      `The value of "max" is out of range. It must be greater than the value of "min" (${low}). Received ${high}`,
      RangeError,
    )
  if (high - low >= 2 ** 48)
    throw codedError(
      'ERR_OUT_OF_RANGE',
      `The value of "max - min" is out of range. It must be <= ${2 ** 48 - 1}. Received ${high - low}`,
      RangeError,
    )
  const [random = 0] = new Float64Array([randomBytes(6).readUIntBE(0, 6) / 2 ** 48])
  const value = low + Math.floor(random * (high - low))
  if (typeof callback !== 'function') return value
  queueMicrotask(() => callback(null, value))
  return undefined
}

/** `work` with a callback behind what it is given. */
const later =
  (work: (...given: Loose[]) => unknown) =>
  (...given: Loose[]): void => {
    const done = given.pop() as (error: unknown, value?: unknown) => void
    checkFunction('callback', done)
    queueMicrotask(() => {
      let value: unknown
      try {
        value = work(...given)
      } catch (error) {
        return done(error)
      }
      return done(null, value)
    })
  }

/** What is given wrong is refused at once, also for who waits with a callback. */
function checkedPbkdf2(password: Loose, salt: Loose, c: number, dkLen: number, digest: string) {
  checkString('digest', digest)
  const given = [bytesOf(password, 'utf8', 'password'), bytesOf(salt, 'utf8', 'salt')] as const
  checkInteger('iterations', c, 1, MOST_BYTES)
  checkInteger('keylen', dkLen, 0, MOST_BYTES)
  const hash = hashNamed(digest)
  return () => Buffer.from(pbkdf2(hash, ...given, { c, dkLen }))
}
const pbkdf2Sync = (...given: Parameters<typeof checkedPbkdf2>) => checkedPbkdf2(...given)()
const scryptSync = (password: Loose, salt: Loose, dkLen: number, options: Loose = {}) => {
  const { N = options.cost ?? 16_384, r = options.blockSize ?? 8, p = options.parallelization ?? 1 } = options
  return Buffer.from(scrypt(bytesOf(password), bytesOf(salt), { N, r, p, dkLen, maxmem: 2 ** 30 }))
}
const hkdfSync = (digest: string, key: Loose, salt: Loose, info: Loose, length: number) =>
  hkdf(hashNamed(digest), bytesOf(key), bytesOf(salt), bytesOf(info), length).slice().buffer

function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.byteLength !== b.byteLength)
    throw codedError('ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', 'Input buffers must have the same byte length', RangeError)
  const [left, right] = [bytesOf(a), bytesOf(b)]
  return left.reduce((difference, byte, index) => difference | (byte ^ right[index]!), 0) === 0
}

const missing = (name: string) => () => {
  throw notInBrowser(`crypto.${name}`)
}

function createHash(name: string): Digest {
  checkString('algorithm', name)
  let kind: Loose
  try {
    kind = hashNamed(name)
  } catch (cause) {
    // For a hash alone Node says it in other words, and without a code.
    throw new Error('Digest method not supported', { cause })
  }
  return new Digest(kind.create())
}

function createHmac(name: unknown, key: unknown): Hmac {
  checkString('hmac', name)
  return new Hmac(hmac.create(hashNamed(name as string), bytesOf(key, 'utf8', 'key')))
}

/** Programs make them with and without `new`, and ask whether something is one of them. */
const callable = (Kind: Loose, make: (...given: never[]) => Digest): Loose =>
  new Proxy(Kind, {
    apply: (_kind, _self, given) => make(...(given as never[])),
    construct: (_kind, given) => make(...(given as never[])),
  })

function generateKey(type: unknown, options: unknown): KeyObject {
  checkString('type', type)
  if (type !== 'hmac' && type !== 'aes') throw wrongValue('type', type, 'must be a supported key type')
  checkObject('options', options)
  const { length } = options as Loose
  if (type === 'hmac') checkInteger('options.length', length, 8, 2 ** 31 - 1)
  else if (![128, 192, 256].includes(length)) {
    if (typeof length !== 'number') throw wrongType('options.length', 'of type number', length)
    throw wrongValue('options.length', length, 'must be one of: 128, 192, 256')
  }
  return new KeyObject(randomBytes(Math.floor(length / 8)) as Uint8Array)
}

const ciphers = makeCiphers(bytesOf)

/** Node's `crypto`: hashes, keys from passwords, randomness and the Web Crypto API. */
export const crypto: Loose = {
  createHash,
  createHmac,
  createSecretKey: (key: unknown, encoding?: string) => new KeyObject(bytesOf(key, encoding, 'key')),
  KeyObject,
  hash: (name: string, data: unknown, encoding = 'hex') => createHash(name).update(data).digest(encoding),
  Hash: callable(Digest, createHash),
  Hmac: callable(Hmac, createHmac),
  generateKeySync: generateKey,
  generateKey: later(generateKey),
  getHashes: () => Object.keys(HASHES),
  getCiphers: () => [...cipherNames],
  getCipherInfo,
  ...ciphers,
  createCipheriv: (...given: Loose[]) => Reflect.construct(ciphers.Cipheriv, given) as object,
  createDecipheriv: (...given: Loose[]) => Reflect.construct(ciphers.Decipheriv, given) as object,
  getCurves: () => [],
  randomBytes,
  pseudoRandomBytes: randomBytes,
  randomInt,
  randomUUID: (options?: unknown) => {
    if (options !== undefined) checkObject('options', options)
    const { disableEntropyCache } = (options ?? {}) as Loose
    if (disableEntropyCache !== undefined) checkBoolean('options.disableEntropyCache', disableEntropyCache)
    return globalThis.crypto.randomUUID()
  },
  randomFill,
  randomFillSync,
  getRandomValues: (target: Uint8Array<ArrayBuffer>) => globalThis.crypto.getRandomValues(target),
  pbkdf2Sync,
  pbkdf2: (...given: Loose[]) => {
    const done = given.pop() as Loose
    checkFunction('callback', done)
    later(checkedPbkdf2(...(given as Parameters<typeof checkedPbkdf2>)))(done)
  },
  scryptSync,
  scrypt: (...given: Loose[]) => later(scryptSync)(...given),
  hkdfSync,
  hkdf: later(hkdfSync),
  timingSafeEqual,
  webcrypto: globalThis.crypto,
  subtle: globalThis.crypto?.subtle,
  constants: {},
  ...Object.fromEntries(
    [
      'createSign',
      'createVerify',
      'createPrivateKey',
      'createPublicKey',
      'createDiffieHellman',
      'createECDH',
      'generateKeyPair',
      'generateKeyPairSync',
      'publicEncrypt',
      'privateDecrypt',
      'sign',
      'verify',
    ].map((name) => [name, missing(name)]),
  ),
}
