import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyOperation, anyText } from './arbitraries.ts'
import { compose } from './compose.ts'
import { OperationError } from './operation-error.ts'
import type { OperationErrorCode } from './operation-error.ts'
import {
  apply,
  baseLength,
  invert,
  isNoop,
  MAXIMUM_COMPONENTS,
  MAXIMUM_DOCUMENT_LENGTH,
  noop,
  parseOperation,
  targetLength,
} from './operation.ts'
import { transform } from './transform.ts'

const textAndOperation = anyText.chain((text) => fc.tuple(fc.constant(text), anyOperation(text.length)))
const textAndTwo = anyText.chain((text) =>
  fc.tuple(fc.constant(text), anyOperation(text.length), anyOperation(text.length)),
)
const textAndThreeInRow = textAndOperation.chain(([text, first]) =>
  anyOperation(targetLength(first)).chain((second) =>
    fc.tuple(fc.constant(text), fc.constant(first), fc.constant(second), anyOperation(targetLength(second))),
  ),
)

function codeOf(action: () => unknown): OperationErrorCode | 'no error' {
  try {
    action()
  } catch (error) {
    if (error instanceof OperationError) return error.code
    throw error
  }
  return 'no error'
}

describe('operation', () => {
  it('OT1: reads retain, insert and delete over UTF-16 code units', () => {
    expect(apply('a😀b', [1, 'x', -2, 1])).toBe('axb')
    expect(baseLength([1, 'xy', -2, 1])).toBe(4)
    expect(targetLength([1, 'xy', -2, 1])).toBe(4)
  })

  it('OT2: parses to canonical form: neighbours merged, insert before delete', () => {
    expect(parseOperation([1, 2, 'a', 'b', -1, -2])).toEqual([3, 'ab', -3])
    expect(parseOperation([-1, 'a', -1, 'b', 2])).toEqual(['ab', -2, 2])
    expect(parseOperation([2, -1, 'a'])).toEqual([2, 'a', -1])
  })

  it('OT3: refuses what is not an operation', () => {
    for (const value of [
      null,
      undefined,
      'abc',
      5,
      {},
      [0],
      [''],
      [1.5],
      [Number.NaN],
      [Infinity],
      [null],
      [[1]],
      [true],
    ]) {
      expect(codeOf(() => parseOperation(value))).toBe('MALFORMED')
    }
  })

  it('OT4: refuses operations past the size limits', () => {
    expect(codeOf(() => parseOperation(Array.from({ length: MAXIMUM_COMPONENTS + 1 }, () => 1)))).toBe('TOO_LARGE')
    expect(codeOf(() => parseOperation(['x'.repeat(MAXIMUM_DOCUMENT_LENGTH), 'x']))).toBe('TOO_LARGE')
    expect(codeOf(() => parseOperation([2 ** 30, -1]))).toBe('TOO_LARGE')
    expect(codeOf(() => parseOperation([Number.MAX_SAFE_INTEGER]))).toBe('TOO_LARGE')
  })

  it('OT5: an empty list and a single retain change nothing', () => {
    expect(isNoop([])).toBe(true)
    expect(isNoop([5])).toBe(true)
    expect(isNoop(['a'])).toBe(false)
    expect(isNoop([-1])).toBe(false)
    expect(noop(0)).toEqual([])
    expect(noop(4)).toEqual([4])
    expect(apply('any length', [])).toBe('any length')
    expect(compose([], ['a', 1])).toEqual(['a', 1])
    expect(compose(['a', 1], [])).toEqual(['a', 1])
    expect(transform([], ['a', 1])).toEqual([[2], ['a', 1]])
    expect(transform(['a', 1], [])).toEqual([['a', 1], [2]])
    expect(invert([], 'abc')).toEqual([])
  })

  it('OT6: refuses to combine what has different lengths', () => {
    expect(codeOf(() => apply('abc', [2]))).toBe('LENGTH_MISMATCH')
    expect(codeOf(() => apply('abc', [4]))).toBe('LENGTH_MISMATCH')
    expect(codeOf(() => invert([4], 'abc'))).toBe('LENGTH_MISMATCH')
    expect(codeOf(() => compose([2, 'a'], [2]))).toBe('LENGTH_MISMATCH')
    expect(codeOf(() => compose([2], [3]))).toBe('LENGTH_MISMATCH')
    expect(codeOf(() => transform([2], [3]))).toBe('LENGTH_MISMATCH')
  })

  it('OT7: on a tie the text of the rebased operation ends up left', () => {
    const [clientPrime, serverPrime] = transform([1, 'client', 1], [1, 'server', 1])
    expect(apply(apply('ab', [1, 'server', 1]), clientPrime)).toBe('aclientserverb')
    expect(apply(apply('ab', [1, 'client', 1]), serverPrime)).toBe('aclientserverb')
  })

  it('OT8: transformed operations lead to the same text in both orders', () => {
    fc.assert(
      fc.property(textAndTwo, ([text, a, b]) => {
        const [aPrime, bPrime] = transform(a, b)
        expect(apply(apply(text, a), bPrime)).toBe(apply(apply(text, b), aPrime))
      }),
      { numRuns: 1000 },
    )
  })

  it('OT9: a composition does what its parts do, and composing is associative', () => {
    fc.assert(
      fc.property(textAndThreeInRow, ([text, a, b, c]) => {
        expect(apply(text, compose(a, b))).toBe(apply(apply(text, a), b))
        const left = compose(compose(a, b), c)
        const right = compose(a, compose(b, c))
        expect(apply(text, left)).toBe(apply(text, right))
        expect(apply(text, left)).toBe(apply(apply(apply(text, a), b), c))
      }),
      { numRuns: 500 },
    )
  })

  it('OT10: the inverse restores the text', () => {
    fc.assert(
      fc.property(textAndOperation, ([text, operation]) => {
        expect(apply(apply(text, operation), invert(operation, text))).toBe(text)
      }),
    )
  })

  it('OT11: every result is canonical and covers its text', () => {
    fc.assert(
      fc.property(textAndTwo, textAndThreeInRow, ([text, a, b], [, first, second]) => {
        const [aPrime, bPrime] = transform(a, b)
        for (const operation of [a, aPrime, bPrime, compose(first, second), invert(a, text)]) {
          expect(operation).toEqual(parseOperation([...operation]))
        }
        expect(baseLength(aPrime)).toBe(targetLength(b))
        expect(baseLength(bPrime)).toBe(targetLength(a))
      }),
    )
  })

  it('OT12: a large operation on a large text is applied, composed and rebased component by component', () => {
    const text = 'abcdefghij'.repeat(50_000)
    const scattered = parseOperation(Array.from({ length: 50_000 }, () => [9, 'xy', -1]).flat())
    const other = parseOperation(Array.from({ length: 50_000 }, () => ['z', 10]).flat())
    const [aPrime, bPrime] = transform(scattered, other)
    const both = apply(text, compose(scattered, bPrime))
    expect(both).toBe(apply(text, compose(other, aPrime)))
    expect(both).toBe('zabcdefghixy'.repeat(50_000))
  })
})
