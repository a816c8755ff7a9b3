import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyOperation } from './arbitraries.ts'
import { targetLength } from './operation.ts'
import { caretsAfter, transformPosition, transformSelection } from './position.ts'

describe('position', () => {
  it('OT15: a position moves with the text around it', () => {
    expect(transformPosition(3, [1, 'xx', 4], 'left')).toBe(5)
    expect(transformPosition(3, [1, -1, 3], 'left')).toBe(2)
    expect(transformPosition(3, [1, -4], 'right')).toBe(1)
    expect(transformPosition(3, [4, 'xx', 1], 'right')).toBe(3)
    expect(transformPosition(3, [], 'right')).toBe(3)
  })

  it('OT15: text inserted exactly at a position goes to the side the bias leaves free', () => {
    expect(transformPosition(1, [1, 'xx', 1], 'left')).toBe(1)
    expect(transformPosition(1, [1, 'xx', 1], 'right')).toBe(3)
    expect(transformPosition(0, ['xx', -1, 1], 'left')).toBe(0)
    expect(transformPosition(2, [2, 'xx'], 'right')).toBe(4)
    expect(transformPosition(2, [2, 'xx'], 'left')).toBe(2)
  })

  it('OT15: positions keep their order and stay in the text', () => {
    const input = fc
      .nat(20)
      .chain((length) => fc.tuple(fc.constant(length), anyOperation(length), fc.nat(length), fc.nat(length)))
    fc.assert(
      fc.property(input, fc.constantFrom('left' as const, 'right' as const), ([length, operation, one, two], bias) => {
        const first = transformPosition(Math.min(one, two), operation, bias)
        const second = transformPosition(Math.max(one, two), operation, bias)
        const end = operation.length === 0 ? length : targetLength(operation)
        expect(0 <= first && first <= second && second <= end).toBe(true)
        expect(transformPosition(one, operation, 'left')).toBeLessThanOrEqual(
          transformPosition(one, operation, 'right'),
        )
      }),
    )
  })

  it('OT16: a caret stays left of text inserted at it', () => {
    expect(transformSelection({ anchor: 1, head: 1 }, [1, 'xx', 1])).toEqual({ anchor: 1, head: 1 })
  })

  it('OT16: a range keeps its direction and does not take in text inserted at its edges', () => {
    const operation = [1, 'xx', 2, 'yy', 1]
    expect(transformSelection({ anchor: 1, head: 3 }, operation)).toEqual({ anchor: 3, head: 5 })
    expect(transformSelection({ anchor: 3, head: 1 }, operation)).toEqual({ anchor: 5, head: 3 })
  })

  it('OT18: there is a caret at the end of each change', () => {
    expect(caretsAfter([1, 'xx', -1, 2, -3, 1, 'y'])).toEqual([
      { anchor: 3, head: 3 },
      { anchor: 5, head: 5 },
      { anchor: 7, head: 7 },
    ])
    expect(caretsAfter([5])).toEqual([])
  })
})
