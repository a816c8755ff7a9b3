import { describe, expect, it } from 'vitest'
import { savedHash } from './savedHash.ts'

describe('savedHash', () => {
  it('P11: is MurmurHash2 with seed 0 over low bytes, in base 36', () => {
    expect(savedHash('')).toBe('0')
    for (const text of ['a', 'hello', 'ünïcode', 'x'.repeat(1001)]) expect(savedHash(text)).toBe(reference(text))
    // Only low bytes count: this is what clients compute, so it is what a server compares.
    expect(savedHash('\u0161')).toBe(savedHash('a'))
  })
})

/** MurmurHash2, one byte a unit. */
function reference(text: string): string {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff)
  const M = 0x5bd1e995
  // The package starts from nothing, where the published function starts from the length.
  let hash = 0
  let index = 0
  for (; index + 4 <= bytes.length; index += 4) {
    let k = bytes[index]! | (bytes[index + 1]! << 8) | (bytes[index + 2]! << 16) | (bytes[index + 3]! << 24)
    k = Math.imul(k, M)
    k ^= k >>> 24
    hash = Math.imul(hash, M) ^ Math.imul(k, M)
  }
  const rest = bytes.length - index
  if (rest >= 3) hash ^= bytes[index + 2]! << 16
  if (rest >= 2) hash ^= bytes[index + 1]! << 8
  if (rest >= 1) hash = Math.imul(hash ^ bytes[index]!, M)
  hash ^= hash >>> 13
  hash = Math.imul(hash, M)
  return ((hash ^ (hash >>> 15)) >>> 0).toString(36)
}
