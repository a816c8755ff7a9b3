import { expect, test } from 'vitest'
import { coloredRuns } from './coloredRuns.ts'

test('gives each run its place in its line', () => {
  expect(coloredRuns('const a\n\n  b', [[5, 0, 1, 1, 1, 2], [], [2, 1, 1, 2]])).toEqual([
    { line: 0, start: 0, end: 5, color: 0 },
    { line: 0, start: 5, end: 6, color: 1 },
    { line: 0, start: 6, end: 7, color: 2 },
    { line: 2, start: 0, end: 2, color: 1 },
    { line: 2, start: 2, end: 3, color: 2 },
  ])
})

test('leaves out what is behind the end of a line or of the text, and runs without a length', () => {
  expect(
    coloredRuns('ab', [
      [0, 3, 1, 0, 9, 1, 1, 2],
      [4, 0],
    ]),
  ).toEqual([
    { line: 0, start: 0, end: 1, color: 0 },
    { line: 0, start: 1, end: 2, color: 1 },
  ])
})
