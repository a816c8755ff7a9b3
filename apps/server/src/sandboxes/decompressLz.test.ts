import fc from 'fast-check'
import lz from 'lz-string'
import { describe, expect, it } from 'vitest'
import { decompressLz } from './decompressLz.ts'

describe('decompressing', () => {
  it('AP600: gives back what LZ-string compressed, in both alphabets', () => {
    const unit = fc.oneof(fc.nat(0xffff), fc.nat(0xff), fc.constantFrom(97, 98, 10))
    const text = fc.array(unit, { maxLength: 200 }).map((codes) => String.fromCharCode(...codes))
    fc.assert(
      fc.property(text, (given) => {
        const plain = lz.compressToBase64(given)
        expect(decompressLz(plain, 10_000)).toBe(given)
        expect(decompressLz(plain.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''), 10_000)).toBe(given)
      }),
      { numRuns: 50 },
    )
  })

  it('AP600: stops at what is allowed, however much a short text stands for', () => {
    const bomb = lz.compressToBase64('a'.repeat(100_000))
    expect(bomb.length).toBeLessThan(2000)
    expect(() => decompressLz(bomb, 50_000)).toThrow('too large')
  })

  it('AP600: refuses what is none', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (given) => {
        try {
          expect(typeof decompressLz(given, 1000)).toBe('string')
        } catch (error) {
          expect(error).toMatchObject({ name: 'ApiError', status: expect.toBeOneOf([413, 422]) as number })
        }
      }),
    )
  })
})
