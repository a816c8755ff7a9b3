import emotionHash from '@emotion/hash'

/** Some loaders hand out the function, Node and its bundles the CommonJS module around it. */
const loaded: unknown = emotionHash
const hash = (typeof loaded === 'function' ? loaded : (loaded as { default: unknown }).default) as (
  text: string,
) => string

/**
 * The hash that tells whether a text differs from what is saved: MurmurHash2 from 0, without the length, over the low byte of each
 * UTF-16 unit, in base 36. Clients compute the same one, so it is part of the wire contract, not a security hash.
 */
export function savedHash(content: string): string {
  return hash(content)
}
