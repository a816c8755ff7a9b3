import { expect, it } from 'vitest'
import { mentionedIn, mentionQuery, mentionSuggestions } from './mentions.ts'

const person = (username: string, name: string | null = null) => ({ username, name })
const people = [person('ada', 'Ada Lovelace'), person('ada-two'), person('grace', 'Grace Hopper')]

it.each([
  ['@', { start: 0, words: '' }],
  ['@ad', { start: 0, words: 'ad' }],
  ['see @Ada Lo', { start: 4, words: 'Ada Lo' }],
  ['(@ada-t', { start: 1, words: 'ada-t' }],
  ['a\n@gr', { start: 2, words: 'gr' }],
  ['mail@ada', undefined],
  ['@ada, ', undefined],
  [`@${'a'.repeat(75)}`, { start: 0, words: 'a'.repeat(75) }],
  [`@${'a'.repeat(76)}`, undefined],
  ['ask Gra', { start: 4, words: 'Gra' }],
  ['ask Gr', undefined],
  ['ask gra', undefined],
])('WB1088: %j is about to name somebody, or nobody', (before, expected) => {
  expect(mentionQuery(before)).toEqual(expected)
})

it('WB1088: five at most are offered, by their name or user name in any case', () => {
  const names = (words: string) => mentionSuggestions(people, words).map(({ username }) => username)
  expect([names('LOVE'), names('ada'), names('nobody')]).toEqual([['ada'], ['ada', 'ada-two'], []])
  const crowd = Array.from({ length: 9 }, (_, index) => person(`one${index}`))
  expect(mentionSuggestions(crowd, '')).toHaveLength(5)
})

it('WB1088: who is named is found in the text, each once, and nobody in a longer word', () => {
  const named = (text: string) => mentionedIn(text, people).map(({ username }) => username)
  expect(named('@ada and (@Grace), @ada: look')).toEqual(['ada', 'grace'])
  expect(named('@ada-two')).toEqual(['ada-two'])
  expect(named('@adam, mail@ada, ada')).toEqual([])
})
