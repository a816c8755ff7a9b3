import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeFrame, encodeFrame, encodeSubscriptionData, serializerOf } from './frames.ts'

const text = fc.string({ maxLength: 100 })
const frames = fc.record({
  joinRef: fc.option(text),
  ref: fc.option(text),
  topic: text,
  event: text,
  payload: fc.jsonValue().filter((value) => value !== null),
})

describe('frames', () => {
  it.each(['array', 'object'] as const)('AP307: of the %s serializer come back as they went', (serializer) => {
    fc.assert(
      fc.property(frames, (frame) => {
        const decoded = decodeFrame(serializer, encodeFrame(serializer, frame))
        expect(JSON.stringify(decoded)).toBe(JSON.stringify(frame))
      }),
    )
  })

  it('AP307: carry the result of a subscription without reading it', () => {
    fc.assert(
      fc.property(text, fc.jsonValue(), (id, result) => {
        for (const serializer of ['array', 'object'] as const) {
          const frame = decodeFrame(serializer, encodeSubscriptionData(serializer, id, JSON.stringify(result)))
          expect(frame).toMatchObject({ joinRef: null, ref: null, topic: id, event: 'subscription:data' })
          const payload = JSON.stringify({ result, subscriptionId: id })
          expect(JSON.stringify(frame!.payload)).toBe(payload)
        }
      }),
    )
  })

  it.each([
    '',
    '{',
    'null',
    '1',
    '[]',
    '[1,2,3]',
    '{"topic":1}',
    '["a","b","c",{},{}]',
    `["1","1","${'x'.repeat(501)}","e",{}]`,
  ])('AP307: %j is none', (nonsense) => {
    expect(decodeFrame('array', nonsense)).toBeNull()
    expect(decodeFrame('object', nonsense)).toBeNull()
  })

  it('AP306: know the versions that clients name', () => {
    expect([null, '1.0.0', '2.0.0', '3.0.0', ''].map(serializerOf)).toEqual(['object', 'object', 'array', null, null])
  })
})
