import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits for an URL or a cookie. */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** SHA-256 in hex: how secrets with enough randomness of their own are kept. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Compares without telling by its duration where the two differ. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
