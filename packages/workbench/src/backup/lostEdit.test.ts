import { apply } from '@boxyard/ot'
import { expect, it } from 'vitest'
import { operationOf } from './lostEdit.ts'

const broughtBack = (edit: { known: string; sent: string; text: string }, present: string) => {
  const operation = operationOf(edit, present)
  return operation ? apply(present, operation) : present
}

it('WB481: what a lost page had typed comes back, beside what others have done since', () => {
  const edit = { known: 'one two', sent: 'one two', text: 'one two three' }
  expect(broughtBack(edit, 'one two')).toBe('one two three')
  expect(broughtBack(edit, 'zero one two')).toBe('zero one two three')
})

it('WB481: what was on its way and has arrived does not come twice', () => {
  const edit = { known: 'a', sent: 'ab', text: 'abc' }
  expect(broughtBack(edit, 'ab')).toBe('abc')
  expect(broughtBack(edit, 'a')).toBe('abc')
  expect(broughtBack(edit, 'x ab')).toBe('x abc')
})

it('WB481: nothing is changed when the box has it all', () => {
  expect(operationOf({ known: 'a', sent: 'a', text: 'ab' }, 'ab')).toBeUndefined()
  expect(operationOf({ known: 'a', sent: 'ab', text: 'ab' }, 'ab, and more')).toBeUndefined()
  expect(operationOf({ known: 'a', sent: 'ab', text: 'abc' }, 'abc, and more')).toBeUndefined()
})
