import emotionHash from '@emotion/hash'

/**
 * The hash that tells whether a text differs from what is saved: MurmurHash2 with seed 0 over the low byte of each
 * UTF-16 unit, in base 36. Clients compute the same one, so it is part of the wire contract, not a security hash.
 */
export function savedHash(content: string): string {
  return emotionHash(content)
}
