import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readSecret, writeSecret } from './signingKey.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1.'

/** Encrypts what the database keeps for others: secrets, keys of registries. */
export interface Sealer {
  /** `purpose` says what it is and whose, so that a sealed value means nothing in another row. */
  seal(plain: string, purpose: string): string
  /** Throws when it was not sealed with this key and purpose. */
  open(sealed: string, purpose: string): string
}

/** The key of the installation, from `folder`, made at the first start. Without it what it sealed is lost. */
export function loadSealer(folder: string): Sealer {
  const path = join(folder, 'sealing.key')
  const key = Buffer.from(readSecret(path) ?? writeSecret(path, randomBytes(32).toString('base64url')), 'base64url')
  return createSealer(key)
}

export function createSealer(key: Buffer): Sealer {
  return {
    seal(plain, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose))
      const content = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')
    },
    open(sealed, purpose) {
      if (!sealed.startsWith(VERSION)) throw new Error('This value was not sealed by Boxyard')
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
