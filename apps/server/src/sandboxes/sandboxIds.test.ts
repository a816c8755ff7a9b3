import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aliasOf, sandboxIdOf } from './sandboxIds.ts'

it('an alias has the letters and digits of the title, a dash between words, and the id, by which it is found', () => {
  const named = (title: string | null) => aliasOf({ id: 'a1b2c3', title, chosenAlias: null })
  expect(named(' My  Café: to-do, №1! ')).toBe('my-cafe-to-do-no1-a1b2c3')
  expect([named(null), named('…')]).toEqual(['a1b2c3', 'a1b2c3'])
  expect(aliasOf({ id: 'a1b2c3', title: 'x', chosenAlias: 'chosen' })).toBe('chosen')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (title) => {
      const words = title
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 60)
      expect(named(title)).toBe(words === '' ? 'a1b2c3' : `${words}-a1b2c3`)
      expect(sandboxIdOf(named(title))).toBe('a1b2c3')
    }),
  )
})
