import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { fuzzyScore } from './fuzzyScore.ts'

const rank = (query: string, texts: string[]) =>
  texts
    .map((text) => ({ text, score: fuzzyScore(query, text) }))
    .filter((entry): entry is { text: string; score: number } => entry.score !== null)
    .toSorted((a, b) => b.score - a.score)
    .map((entry) => entry.text)

it('matches characters in order and nothing else', () => {
  expect(fuzzyScore('cdb', 'Create devbox')).not.toBeNull()
  expect(fuzzyScore('bdc', 'Create devbox')).toBeNull()
  expect(fuzzyScore('', 'anything')).toBe(0)
})

it('favors the start, then the starts of words, then runs', () => {
  expect(rank('dev', ['Undevised', 'Open devbox', 'Devbox list'])).toEqual(['Devbox list', 'Open devbox', 'Undevised'])
  expect(rank('od', ['Toad', 'Open devbox'])).toEqual(['Open devbox', 'Toad'])
  expect(rank('tab', ['otxaxb', 'stab'])[0]).toBe('stab')
  expect(rank('gd', ['go to Dashboard', 'goToDashboard', 'gad'])[0]).not.toBe('gad')
})

it('finds the best place, not the first one', () => {
  expect(fuzzyScore('box', 'xb o x box')!).toBeGreaterThan(fuzzyScore('box', 'xb o x')!)
})

it('matches every subsequence, whatever the case', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.array(fc.boolean(), { maxLength: 20 }), (text, kept) => {
      const query = [...text.toLowerCase()].filter((_, index) => kept[index]).join('')
      expect(fuzzyScore(query, text)).not.toBeNull()
    }),
  )
})
