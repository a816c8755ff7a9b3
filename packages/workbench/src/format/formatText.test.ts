import { expect, test } from 'vitest'
import { editsBetween } from './formatText.ts'

/** What an editor does with edits: from the last to the first. */
function applied(text: string, edits: ReturnType<typeof editsBetween>): string {
  const lines = text.split('\n')
  const offset = (line: number, column: number) =>
    lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
  return edits.toReversed().reduce((before, { range, text: inserted }) => {
    const start = offset(range.startLineNumber, range.startColumn)
    return before.slice(0, start) + inserted + before.slice(offset(range.endLineNumber, range.endColumn))
  }, text)
}

test.each([
  ['', 'a\n'],
  ['a  =1\nb', 'a = 1\nb\n'],
  ['{\n  a\n}\n', '{\n    a\n}\n'],
  ['x\n\n\n\ny', 'x\n\ny\n'],
  ['same\n', 'same\n'],
])('WB874: edits lead from %j to %j', (before, after) => {
  expect(applied(before, editsBetween(before, after))).toBe(after)
})

test('WB874: what the format keeps is not touched', () => {
  const body = 'const untouched = "untouched"\n'.repeat(400)
  const edits = editsBetween(`a=1\n${body}b=2\n`, `a = 1\n${body}b = 2\n`)
  expect(edits).toHaveLength(4)
  expect(edits.every(({ text }) => text === ' ')).toBe(true)
})
