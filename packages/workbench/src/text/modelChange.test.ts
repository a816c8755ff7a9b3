import { apply, parseOperation } from '@boxyard/ot'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { changesToOperation, editsToOperation, operationToEdits, type ModelContentChange } from './modelChange.ts'

const change = (rangeOffset: number, rangeLength: number, text: string): ModelContentChange => ({
  rangeOffset,
  rangeLength,
  text,
})
const text = (value: string) => ({ length: value.length, read: () => value })

it('WB10: typing, deleting and replacing become the operation of that stretch', () => {
  expect(changesToOperation([change(2, 0, 'x')], 'abcd', text('abxcd'))).toEqual([2, 'x', 2])
  expect(changesToOperation([change(1, 2, '')], 'abcd', text('ad'))).toEqual([1, -2, 1])
  expect(changesToOperation([change(1, 2, 'XY')], 'abcd', text('aXYd'))).toEqual([1, 'XY', -2, 1])
  expect(changesToOperation([change(0, 0, 'new')], '', text('new'))).toEqual(['new'])
})

it('WB10: the changes of several cursors come in any order', () => {
  expect(changesToOperation([change(3, 0, '!'), change(1, 1, '?')], 'abcd', text('a?c!d'))).toEqual([
    1,
    '?',
    -1,
    1,
    '!',
    1,
  ])
})

it('WB10: changes that touch each other stay canonical', () => {
  const operation = changesToOperation([change(0, 1, ''), change(1, 0, 'x'), change(1, 1, 'y')], 'abc', text('xyc'))
  expect(operation).toEqual(parseOperation(operation))
  expect(apply('abc', operation)).toBe('xyc')
})

it('WB11: sequential changes, whose lengths do not fit, become a difference', () => {
  // "ab" typed in two steps, reported together: the second offset counts in the text after the first.
  expect(apply('0123', changesToOperation([change(4, 0, 'a'), change(5, 0, 'b')], '0123', text('0123ab')))).toBe(
    '0123ab',
  )
})

it('WB11: a replaced whole text becomes a small difference, so that others keep their cursors', () => {
  expect(changesToOperation([change(0, 6, 'abc_def')], 'abcdef', text('abc_def'))).toEqual([3, '_', 3])
})

const edits = fc
  .tuple(
    fc.string({ maxLength: 60 }),
    fc.array(fc.tuple(fc.nat(12), fc.nat(6), fc.string({ maxLength: 5 })), { maxLength: 6 }),
  )
  .map(([before, parts]) => {
    const list: { start: number; end: number; text: string }[] = []
    let position = 0
    for (const [gap, length, inserted] of parts) {
      const start = position + gap + 1
      const end = start + length
      if (end > before.length) break
      list.push({ start, end, text: inserted })
      position = end
    }
    return { before, list }
  })

function applyEdits(before: string, list: readonly { start: number; end: number; text: string }[]): string {
  let after = before
  for (const { start, end, text: inserted } of list.toReversed())
    after = after.slice(0, start) + inserted + after.slice(end)
  return after
}

it('WB12: edits and operations say the same, for every text', () => {
  fc.assert(
    fc.property(edits, ({ before, list }) => {
      const after = applyEdits(before, list)
      const operation = editsToOperation(list, before.length)
      expect(operation).toEqual(parseOperation(operation))
      expect(apply(before, operation)).toBe(after)
      expect(applyEdits(before, operationToEdits(operation))).toBe(after)
    }),
  )
})
