import { codedError } from '../nodeError.ts'
import { Buffer } from './buffer.ts'
import type { Loose } from '../loose.ts'

/** Node's `KeyObject`, of a secret: those of pairs need a machine. */
export class KeyObject {
  readonly #secret: Uint8Array
  readonly type = 'secret'

  constructor(secret: Uint8Array) {
    this.#secret = new Uint8Array(secret)
  }

  static secretOf(key: KeyObject): Uint8Array {
    return key.#secret
  }

  get symmetricKeySize(): number {
    return this.#secret.length
  }

  export(options?: Loose): Loose {
    if (options?.format === 'jwk') return { kty: 'oct', k: Buffer.from(this.#secret).toString('base64url') }
    if (options?.format !== undefined && options.format !== 'buffer')
      throw codedError(
        'ERR_INVALID_ARG_VALUE',
        `The property 'options.format' must be one of: undefined, 'buffer', 'jwk'. Received '${String(options.format)}'`,
        TypeError,
      )
    return Buffer.from(this.#secret)
  }

  equals(other: unknown): boolean {
    if (!(other instanceof KeyObject))
      throw codedError(
        'ERR_INVALID_ARG_TYPE',
        'The "otherKeyObject" argument must be an instance of KeyObject.',
        TypeError,
      )
    return Buffer.from(this.#secret).equals(Buffer.from(other.#secret))
  }

  get [Symbol.toStringTag](): string {
    return 'KeyObject'
  }
}
