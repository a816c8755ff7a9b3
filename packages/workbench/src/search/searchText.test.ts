import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { columnOf, searchOptions } from './searchText.ts'

it('WB7: a plain search is passed on as it is', () => {
  expect(searchOptions({ pattern: 'a.b' })).toEqual({ text: 'a.b', isRegex: false, caseSensitivity: 'disabled' })
  expect(searchOptions({ pattern: 'a.b', isRegExp: true, isCaseSensitive: true })).toEqual({
    text: 'a.b',
    isRegex: true,
    caseSensitivity: 'enabled',
  })
})

it('WB7: whole words are a regular expression of the escaped text', () => {
  const { text, isRegex } = searchOptions({ pattern: 'f(x)', isWordMatch: true })
  expect(isRegex).toBe(true)
  expect(text).toBe('\\b(?:f\\(x\\))\\b')
})

it('WB8: byte offsets become columns, for every text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
      expect(columnOf(before + after, new TextEncoder().encode(before).length)).toBe(before.length)
    }),
  )
})
