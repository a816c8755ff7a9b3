import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits for a cookie, an address or a token. */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** How secrets are kept: SHA-256 in hex. They have enough randomness of their own. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
