import { ghash } from '@noble/ciphers/_polyval'
import { cbc, ctr, ecb, unsafe } from '@noble/ciphers/aes'
import { codedError } from '../nodeError.ts'
import { Buffer } from './buffer.ts'
import { Transform } from './stream.ts'
import { StringDecoder } from './stringDecoder.ts'
import type { Loose } from '../loose.ts'

// AES as Node has it, in parts: whole blocks come out as soon as they are there.

const BLOCK = 16
const EMPTY = new Uint8Array()
const TAG_LENGTHS: readonly number[] = [4, 8, 12, 13, 14, 15, 16]
type Mode = 'cbc' | 'ctr' | 'ecb' | 'gcm'

interface CipherInfo {
  name: string
  nid: number
  blockSize: number
  ivLength?: number
  keyLength: number
  mode: Mode
}

const NUMBERS: Readonly<Record<string, number>> = {
  'aes-128-ecb': 418,
  'aes-128-cbc': 419,
  'aes-192-ecb': 422,
  'aes-192-cbc': 423,
  'aes-256-ecb': 426,
  'aes-256-cbc': 427,
  'aes-128-gcm': 895,
  'aes-192-gcm': 898,
  'aes-256-gcm': 901,
  'aes-128-ctr': 904,
  'aes-192-ctr': 905,
  'aes-256-ctr': 906,
}
const SHORT: Readonly<Record<string, string>> = { aes128: 'aes-128-cbc', aes192: 'aes-192-cbc', aes256: 'aes-256-cbc' }
export const cipherNames = Object.keys(NUMBERS).toSorted()

function infoOf(given: string): CipherInfo | undefined {
  const lower = given.toLowerCase().replace(/^id-aes(\d+)-gcm$/, 'aes-$1-gcm')
  const name = SHORT[lower] ?? lower
  const [, bits, mode] = /^aes-(\d+)-(\w+)$/.exec(name) ?? []
  if (!Object.hasOwn(NUMBERS, name)) return undefined
  return {
    mode: mode as Mode,
    name: mode === 'gcm' ? `id-aes${bits}-gcm` : name,
    nid: NUMBERS[name]!,
    blockSize: mode === 'cbc' || mode === 'ecb' ? BLOCK : 1,
    ...(mode === 'ecb' ? {} : { ivLength: mode === 'gcm' ? 12 : BLOCK }),
    keyLength: Number(bits) / 8,
  }
}

export function getCipherInfo(given: string | number, options: Loose = {}): CipherInfo | undefined {
  const name = typeof given === 'number' ? cipherNames.find((one) => NUMBERS[one] === given) : given
  const info = name === undefined ? undefined : infoOf(name)
  if (!info || (options.keyLength !== undefined && options.keyLength !== info.keyLength)) return undefined
  if (options.ivLength === undefined || options.ivLength === info.ivLength) return info
  return info.mode === 'gcm' && options.ivLength > 0 ? { ...info, ivLength: options.ivLength } : undefined
}

/** What works on blocks of one mode. */
interface Engine {
  update(bytes: Uint8Array): Uint8Array
  final(): Uint8Array
}

/** In bytes of the plain class: of those of Node `slice` is no copy. */
const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
const fatal = (code: string, words: string, reason: string): Error =>
  Object.assign(codedError(code, `error:${words}:Provider routines::${reason}`), {
    library: 'Provider routines',
    reason,
  })

/** Blocks, the last of which is filled up. */
class Blocks implements Engine {
  readonly #key: Uint8Array
  readonly #encrypts: boolean
  #iv: Uint8Array | null
  #left = EMPTY
  pads = true

  constructor(key: Uint8Array, iv: Uint8Array | null, encrypts: boolean) {
    this.#key = key
    this.#iv = iv
    this.#encrypts = encrypts
  }

  update(bytes: Uint8Array): Uint8Array {
    const all = joined(this.#left, bytes)
    // Of what is read the last block says how much of it was added.
    const held =
      !this.#encrypts && this.pads && all.length % BLOCK === 0 ? Math.min(BLOCK, all.length) : all.length % BLOCK
    this.#left = all.slice(all.length - held)
    return this.#run(all.slice(0, all.length - held))
  }

  final(): Uint8Array {
    const left = this.#left
    if (this.#encrypts && this.pads) {
      const missing = BLOCK - left.length
      return this.#run(joined(left, new Uint8Array(missing).fill(missing)))
    }
    if (left.length % BLOCK !== 0 || (this.pads && left.length === 0))
      throw fatal('ERR_OSSL_WRONG_FINAL_BLOCK_LENGTH', '1C80006B', 'wrong final block length')
    if (!this.pads) return this.#run(left)
    const plain = this.#run(left)
    const added = plain.at(-1)!
    if (added === 0 || added > BLOCK || !plain.subarray(-added).every((byte) => byte === added))
      throw fatal('ERR_OSSL_BAD_DECRYPT', '1C800064', 'bad decrypt')
    return plain.subarray(0, BLOCK - added)
  }

  #run(blocks: Uint8Array): Uint8Array {
    if (blocks.length === 0) return EMPTY
    const options = { disablePadding: true }
    const cipher = this.#iv === null ? ecb(this.#key, options) : cbc(this.#key, this.#iv, options)
    const made = this.#encrypts ? cipher.encrypt(blocks) : cipher.decrypt(blocks)
    if (this.#iv !== null) this.#iv = (this.#encrypts ? made : blocks).slice(-BLOCK)
    return made
  }
}

/** Bytes that are added to a text, of any length. */
class Stream implements Engine {
  readonly #next: (blocks: number) => Uint8Array
  #left = EMPTY

  constructor(next: (blocks: number) => Uint8Array) {
    this.#next = next
  }

  update(bytes: Uint8Array): Uint8Array {
    const more = Math.ceil(Math.max(0, bytes.length - this.#left.length) / BLOCK)
    const stream = more === 0 ? this.#left : joined(this.#left, this.#next(more))
    this.#left = stream.slice(bytes.length)
    return bytes.map((byte, index) => byte ^ stream[index]!)
  }

  final(): Uint8Array {
    return EMPTY
  }
}

/** Adds to a counter at the end of a block, as many bytes of which count. */
function counted(block: Uint8Array, by: number, width: number): Uint8Array {
  const next = block.slice()
  let carry = by
  for (let at = BLOCK - 1; at >= BLOCK - width && carry > 0; at -= 1) {
    carry += next[at]!
    next[at] = carry & 0xff
    carry = Math.floor(carry / 256)
  }
  return next
}

function counterStream(key: Uint8Array, iv: Uint8Array): Stream {
  let counter = iv
  return new Stream((blocks) => {
    const made = ctr(key, counter).encrypt(new Uint8Array(blocks * BLOCK))
    counter = counted(counter, blocks, BLOCK)
    return made
  })
}

/** A stream with a tag that tells whether somebody has changed it. */
class Authenticated implements Engine {
  readonly #encrypts: boolean
  readonly #stream: Stream
  readonly #hash: Loose
  readonly #first: Uint8Array
  #more = 0
  #size = 0
  #hasText = false
  /** Less than a block, of which the package would fill up the rest. */
  #part = EMPTY
  tag: Uint8Array | undefined

  constructor(key: Uint8Array, iv: Uint8Array, encrypts: boolean) {
    this.#encrypts = encrypts
    const one = (block: Uint8Array) => ecb(key, { disablePadding: true }).encrypt(block)
    const hashKey = one(new Uint8Array(BLOCK))
    this.#hash = ghash.create(hashKey)
    let start: Uint8Array
    if (iv.length === 12) start = joined(iv, Uint8Array.of(0, 0, 0, 1))
    else {
      const hash = ghash.create(hashKey)
      hash.update(padded(iv))
      hash.update(lengths(0, iv.length))
      start = hash.digest()
    }
    this.#first = one(start)
    const expanded = unsafe.expandKeyLE(key)
    let counter = counted(start, 1, 4)
    this.#stream = new Stream((blocks) => {
      const made = unsafe.ctr32(expanded, false, counter.slice(), new Uint8Array(blocks * BLOCK))
      counter = counted(counter, blocks, 4)
      return made
    })
  }

  /** Bytes that are told openly, and belong to it all the same. */
  authenticate(bytes: Uint8Array): void {
    if (this.#hasText) throw codedError('ERR_CRYPTO_INVALID_STATE', 'Invalid state for operation setAAD')
    this.#hashed(bytes)
    this.#more += bytes.length
  }

  #hashed(bytes: Uint8Array): void {
    const all = joined(this.#part, bytes)
    const whole = all.length - (all.length % BLOCK)
    this.#part = all.slice(whole)
    if (whole > 0) this.#hash.update(all.slice(0, whole))
  }

  update(bytes: Uint8Array): Uint8Array {
    if (!this.#hasText) this.#fill()
    this.#hasText = true
    const made = this.#stream.update(bytes)
    this.#hashed(this.#encrypts ? made : bytes)
    this.#size += bytes.length
    return made
  }

  final(): Uint8Array {
    this.#fill()
    this.#hash.update(lengths(this.#more, this.#size))
    const made: Uint8Array = this.#hash.digest().map((byte: number, index: number) => byte ^ this.#first[index]!)
    if (this.#encrypts) {
      this.tag = made
      return EMPTY
    }
    const { tag } = this
    if (tag === undefined || tag.reduce((wrong, byte, index) => wrong | (byte ^ made[index]!), 0) !== 0)
      throw new Error('Unsupported state or unable to authenticate data')
    return EMPTY
  }

  #fill(): void {
    if (this.#part.length > 0) this.#hash.update(padded(this.#part))
    this.#part = EMPTY
  }
}

const padded = (bytes: Uint8Array): Uint8Array =>
  joined(bytes, new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK))
function lengths(more: number, size: number): Uint8Array {
  const block = new DataView(new ArrayBuffer(BLOCK))
  block.setBigUint64(0, BigInt(more) * 8n)
  block.setBigUint64(8, BigInt(size) * 8n)
  return new Uint8Array(block.buffer)
}

function engineOf(info: CipherInfo, key: Uint8Array, iv: Uint8Array | null, encrypts: boolean): Engine {
  if (key.length !== info.keyLength) throw codedError('ERR_CRYPTO_INVALID_KEYLEN', 'Invalid key length', RangeError)
  if (info.ivLength === undefined) {
    if (iv !== null && iv.length > 0) throw invalidIv()
    return new Blocks(key, null, encrypts)
  }
  if (iv === null || (info.mode === 'gcm' ? iv.length === 0 : iv.length !== info.ivLength)) throw invalidIv()
  if (info.mode === 'gcm') return new Authenticated(key, iv, encrypts)
  return info.mode === 'ctr' ? counterStream(key, iv) : new Blocks(key, iv, encrypts)
}
const invalidIv = () => codedError('ERR_CRYPTO_INVALID_IV', 'Invalid initialization vector', TypeError)
const invalidState = (what: string) => codedError('ERR_CRYPTO_INVALID_STATE', `Invalid state for operation ${what}`)

type ToBytes = (given: Loose, encoding: string | undefined, name: string) => Uint8Array

/** Node's `Cipheriv` or `Decipheriv`, in a class of that name. `bytesOf`: what Node takes as bytes. */
class AesCipher extends Transform {
  readonly #engine: Engine
  readonly #encrypts: boolean
  readonly #bytesOf: ToBytes
  /** A shorter tag than was agreed on is easier to guess. */
  readonly #askedTagLength: number | undefined
  #decoder: Loose
  #encoding: string | undefined
  #isDone = false

  constructor(encrypts: boolean, bytesOf: ToBytes, name: Loose, key: Loose, iv: Loose, options: Loose) {
    super(options)
    if (typeof name !== 'string')
      throw codedError('ERR_INVALID_ARG_TYPE', 'The "cipher" argument must be of type string.', TypeError)
    const info = infoOf(name)
    if (!info) throw codedError('ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher')
    this.#encrypts = encrypts
    this.#bytesOf = bytesOf
    this.#askedTagLength = options?.authTagLength
    if (info.mode === 'gcm' && this.#askedTagLength !== undefined && !TAG_LENGTHS.includes(this.#askedTagLength))
      throw codedError(
        'ERR_CRYPTO_INVALID_AUTH_TAG',
        `Invalid authentication tag length: ${this.#askedTagLength}`,
        TypeError,
      )
    const start = iv === null ? null : new Uint8Array(bytesOf(iv, 'utf8', 'iv'))
    this.#engine = engineOf(info, new Uint8Array(bytesOf(key, 'utf8', 'key')), start, encrypts)
  }

  update(data: Loose, from?: string, to?: string): Loose {
    if (this.#isDone) throw invalidState('update')
    return this.#told(this.#engine.update(this.#bytesOf(data, from, 'data')), to, false)
  }

  final(to?: string): Loose {
    if (this.#isDone) throw invalidState('final')
    this.#isDone = true
    return this.#told(this.#engine.final(), to, true)
  }

  setAutoPadding(pads = true): this {
    if (this.#isDone) throw invalidState('setAutoPadding')
    if (this.#engine instanceof Blocks) this.#engine.pads = pads
    return this
  }

  setAAD(bytes: Loose, options?: Loose): this {
    if (this.#isDone || !(this.#engine instanceof Authenticated)) throw invalidState('setAAD')
    this.#engine.authenticate(this.#bytesOf(bytes, options?.encoding, 'aadbuf'))
    return this
  }

  getAuthTag(): Loose {
    const { tag } = this.#engine as Partial<Authenticated>
    if (!this.#isDone || !this.#encrypts || !tag) throw invalidState('getAuthTag')
    return Buffer.from(tag.slice(0, this.#askedTagLength ?? BLOCK))
  }

  setAuthTag(given: Loose, encoding?: string): this {
    if (this.#isDone || this.#encrypts || !(this.#engine instanceof Authenticated) || this.#engine.tag)
      throw invalidState('setAuthTag')
    const tag = this.#bytesOf(given, encoding, 'buffer')
    const isKnown = this.#askedTagLength === undefined || tag.length === this.#askedTagLength
    if (!isKnown || !TAG_LENGTHS.includes(tag.length))
      throw codedError('ERR_CRYPTO_INVALID_AUTH_TAG', `Invalid authentication tag length: ${tag.length}`, TypeError)
    this.#engine.tag = tag.slice()
    return this
  }

  /** A character that is not whole yet waits for the rest of it. */
  #told(bytes: Uint8Array, encoding: string | undefined, isLast: boolean): Loose {
    if (encoding === undefined || encoding === 'buffer') return Buffer.from(bytes)
    if (this.#encoding !== undefined && this.#encoding !== encoding)
      throw codedError('ERR_INTERNAL_ASSERTION', 'Cannot change encoding')
    this.#encoding = encoding
    this.#decoder ??= new StringDecoder(encoding) as Loose
    const text: string = this.#decoder.write(Buffer.from(bytes))
    return isLast ? text + String(this.#decoder.end()) : text
  }

  _transform(chunk: Loose, encoding: string, done: (error?: unknown) => void): void {
    try {
      this['push'](this.update(chunk, encoding))
    } catch (error) {
      return done(error)
    }
    return done()
  }

  _flush(done: (error?: unknown) => void): void {
    try {
      this['push'](this.final())
    } catch (error) {
      return done(error)
    }
    return done()
  }
}

/** Both are called with or without `new`. */
export function makeCiphers(bytesOf: ToBytes): Record<'Cipheriv' | 'Decipheriv', Loose> {
  const kind = (encrypts: boolean, name: string): Loose => {
    class Made extends AesCipher {
      constructor(cipher: Loose, key: Loose, iv: Loose, options?: Loose) {
        super(encrypts, bytesOf, cipher, key, iv, options)
      }
    }
    Object.defineProperty(Made, 'name', { value: name })
    return new Proxy(Made, { apply: (made, _self, given) => Reflect.construct(made, given) as object })
  }
  return { Cipheriv: kind(true, 'Cipheriv'), Decipheriv: kind(false, 'Decipheriv') }
}
