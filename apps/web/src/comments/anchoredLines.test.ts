import { expect, it } from 'vitest'
import { anchoredLines, anchorOfLines } from './anchoredLines.ts'

const text = 'one\ntwo\nthree\ntwo\n'

it('finds the lines of a comment again after the text has moved', () => {
  const anchor = anchorOfLines(text, { first: 2, last: 3 })
  expect(anchor).toEqual({ anchor: 4, head: 13, code: 'two\nthree' })
  expect(anchoredLines(text, anchor)).toEqual({ first: 2, last: 3 })
  expect(anchoredLines(`zero\nmore\n${text}`, anchor)).toEqual({ first: 4, last: 5 })
})

it('takes the place that is nearest to the old one, and none when the text is gone', () => {
  const last = anchorOfLines(text, { first: 4, last: 4 })
  expect(anchoredLines(text, last)).toEqual({ first: 4, last: 4 })
  expect(anchoredLines('one\n', last)).toBeUndefined()
  expect(anchoredLines('a\n\nb', { anchor: 2, head: 2, code: '' })).toEqual({ first: 2, last: 2 })
  expect(anchoredLines('a', { anchor: 5, head: 5, code: '' })).toBeUndefined()
})
