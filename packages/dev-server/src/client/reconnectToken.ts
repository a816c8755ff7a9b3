import { createHmac, timingSafeEqual } from 'node:crypto'

/** How long after its issue a reconnect token still restores an identity. */
const GRACE_MS = 24 * 60 * 60 * 1000

/**
 * Tokens that give a client its clientId back after a lost socket or a restarted dev server. A token is bound to the user it was
 * issued to and is good for nothing without a box token of the same user.
 */
export class ReconnectTokens {
  #key: Uint8Array
  readonly #now: () => number

  constructor(key: Uint8Array, now: () => number) {
    this.#key = key
    this.#now = now
  }

  /** Every token of before is worth nothing from now on. */
  changeKey(key: Uint8Array): void {
    this.#key = key
  }

  issue(clientId: string, userId: string): string {
    const expires = String(this.#now() + GRACE_MS)
    return `${clientId}.${expires}.${this.#sign(clientId, expires, userId).toString('base64url')}`
  }

  /** The clientId of a valid token of this user, else undefined. */
  read(token: string, userId: string): string | undefined {
    const [clientId, expires, signature, ...rest] = token.split('.')
    if (!clientId || !expires || !signature || rest.length > 0) return undefined
    const given = Buffer.from(signature, 'base64url')
    const expected = this.#sign(clientId, expires, userId)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
    return Number(expires) > this.#now() ? clientId : undefined
  }

  #sign(clientId: string, expires: string, userId: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([clientId, expires, userId]))
      .digest()
  }
}
