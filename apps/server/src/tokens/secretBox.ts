import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readSecret, writeSecret } from './signingKey.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts what has to be read again, such as secrets of other services, with a key that is not in the database. */
export class SecretBox {
  readonly #key: Buffer

  /** `path` is the file of the key, made at the first start. */
  constructor(path: string) {
    this.#key = Buffer.from(readSecret(path) ?? writeSecret(path, randomBytes(32).toString('base64url')), 'base64url')
  }

  /** `purpose` has to be the same when it is opened, so that a sealed text can not be moved to another place. */
  seal(text: string, purpose: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
  }

  /** Throws when it was sealed with another key, for another purpose, or changed since. */
  open(sealed: string, purpose: string): string {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  }
}
