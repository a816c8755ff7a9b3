import { expect, it } from 'vitest'
import { commentsElsewhere } from './commentsElsewhere.ts'
import { diffLines } from './diffLines.ts'

const lines = diffLines('@@ -1,2 +1,2 @@\n-old\n+new\n same')

it('AP959: a comment whose line has changed since, or is not among the changes, has a place of its own', () => {
  const on = [
    { line: 1, side: 'LEFT' },
    { line: 1, side: 'RIGHT' },
    { line: 2, side: null },
  ]
  const elsewhere = [
    { line: null, side: 'RIGHT' },
    { line: 9, side: 'RIGHT' },
    { line: 2, side: 'LEFT' },
  ]
  expect(commentsElsewhere(lines, [...on, ...elsewhere])).toEqual(elsewhere)
  expect(commentsElsewhere([], on)).toEqual(on)
})
