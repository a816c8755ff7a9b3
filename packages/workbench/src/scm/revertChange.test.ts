import { expect, it } from 'vitest'
import { revertEdits } from './revertChange.ts'

/** A text as far as the edits look at it. */
function textOf(value: string) {
  const lines = value.split('\n')
  return {
    getLineCount: () => lines.length,
    getLineMaxColumn: (line: number) => lines[line - 1]!.length + 1,
    getValueInRange: (range: { startLineNumber: number; endLineNumber: number }) =>
      lines.slice(range.startLineNumber - 1, range.endLineNumber).join('\n'),
    offset: (line: number, column: number) =>
      lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1,
    value,
  }
}

function reverted(before: string, after: string, change: [number, number, number, number]): string {
  const original = textOf(before)
  const model = textOf(after)
  const [originalStartLineNumber, originalEndLineNumber, modifiedStartLineNumber, modifiedEndLineNumber] = change
  const lines = { originalStartLineNumber, originalEndLineNumber, modifiedStartLineNumber, modifiedEndLineNumber }
  const [edit] = revertEdits(model, original as never, [{ change: lines as never }])
  const { range, text } = edit!
  const start = model.offset(range.startLineNumber, range.startColumn)
  return after.slice(0, start) + text + after.slice(model.offset(range.endLineNumber, range.endColumn))
}

it('WB430: reverting a change gives its lines the text of the last commit, wherever they stand', () => {
  expect(reverted('a\nb\nc', 'a\nB\nB2\nc', [2, 2, 2, 3])).toBe('a\nb\nc')
  expect(reverted('a\nc', 'a\nb\nc', [1, 0, 2, 2])).toBe('a\nc')
  expect(reverted('a', 'a\nb\nc', [1, 0, 2, 3])).toBe('a')
  expect(reverted('', 'a\nb', [0, 0, 1, 2])).toBe('')
  expect(reverted('a\nb\nc', 'a\nc', [2, 2, 1, 0])).toBe('a\nb\nc')
  expect(reverted('a\nb\nc', 'b\nc', [1, 1, 0, 0])).toBe('a\nb\nc')
  expect(reverted('a\nb\nc', 'a\nb', [3, 3, 2, 0])).toBe('a\nb\nc')
})
