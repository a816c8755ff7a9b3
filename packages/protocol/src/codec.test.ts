import { decode as unpack } from '@msgpack/msgpack'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, dropNil, encode } from './codec.ts'

/** Msgpack's integers have no negative zero. */
const jsonValue = fc.jsonValue({ maxDepth: 8 }).map((value): unknown => JSON.parse(JSON.stringify(value)))

describe('codec', () => {
  it('P1: a frame is one msgpack value; what is encoded comes back', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        // A key named __proto__ does not come back; dropNil has its own test.
        fc.pre(!JSON.stringify(value).includes('__proto__'))
        expect(decode(encode(value))).toEqual(value)
      }),
    )
    const bytes = decode(encode({ content: new Uint8Array([1, 2, 255]) })) as { content: Uint8Array }
    expect([...bytes.content]).toEqual([1, 2, 255])
    expect(() => decode(new Uint8Array([1, 2]))).toThrow()
    expect(() => decode(new Uint8Array())).toThrow()
  })

  it('P2: undefined is nil on the wire, and nil members are dropped at every depth but not in arrays', () => {
    expect(unpack(encode({ a: undefined }))).toEqual({ a: null })
    expect(dropNil({ a: null, b: { c: undefined, d: [null, { e: null }] } })).toEqual({ b: { d: [null, {}] } })
    const bytes = new Uint8Array([1])
    expect(dropNil({ bytes })).toEqual({ bytes })
  })

  it('P3: nobody gets at a prototype by a frame', () => {
    const hostile = JSON.parse('{"__proto__": {"isAdmin": true}, "a": 1}') as object
    const dropped = dropNil(hostile) as Record<string, unknown>
    expect(dropped['isAdmin']).toBeUndefined()
    expect(Object.keys(dropped)).toEqual(['a'])
  })

  it('P4: a frame that would take more memory than it is worth is refused before it is decoded', () => {
    const nested = new Uint8Array(8_000_000).fill(0x91)
    expect(() => decode(nested)).toThrow('nested too deep')
    const wide = new Uint8Array(3_000_000).fill(0xc0)
    wide.set([0xdd, 0, 0x2d, 0xc6, 0xbb])
    expect(() => decode(wide)).toThrow('too many values')
    expect(() => decode(new Uint8Array([0xdd, 0xff, 0xff, 0xff, 0xff]))).toThrow('cut off')
    expect(() => decode(new Uint8Array([0xdf, 0xff, 0xff, 0xff, 0xff, 1]))).toThrow('cut off')
    expect(() => decode(new Uint8Array([0xc6, 0xff, 0xff, 0xff, 0xff]))).toThrow('cut off')
    expect(() => decode(new Uint8Array([0xd6, 0xff, 0, 0, 0, 0]))).toThrow()
    let deepest: unknown = 1
    for (let level = 0; level < 90; level += 1) deepest = [deepest]
    expect(decode(encode(deepest))).toEqual(deepest)
  })

  it('P5: any bytes either decode or throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decode(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
