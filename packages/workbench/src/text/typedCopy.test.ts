import { expect, it } from 'vitest'
import { TypedCopy } from './typedCopy.ts'

const copy = (start: number, end = start) => new TypedCopy({ path: 'a.ts', base: 'one two', start, end })

it('WB600: what is typed into a text that cannot be edited is kept, with the caret', () => {
  const typed = copy(3)
  for (const key of ['!', 'Enter', 'Shift', 'ArrowLeft', '😀', 'x', 'Backspace']) typed.press(key)
  expect(typed.edit).toEqual({ path: 'a.ts', base: 'one two', text: 'one!\n😀 two', caret: 7 })
})

it('WB600: a selection is replaced, and nothing is removed beyond the ends', () => {
  const over = copy(4, 7)
  over.insert('three')
  expect(over.edit).toMatchObject({ text: 'one three', caret: 9 })
  const start = copy(0)
  start.press('Backspace')
  start.press('Delete')
  expect(start.edit).toMatchObject({ text: 'ne two', caret: 0 })
  const end = copy(7)
  end.press('Delete')
  expect(end.edit.text).toBe('one two')
})
