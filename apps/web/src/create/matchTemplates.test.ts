import { expect, it } from 'vitest'
import type { OfficialTemplate } from '../api/schemas.ts'
import { matchTemplates } from './matchTemplates.ts'

const template = (id: string, title: string, description = ''): OfficialTemplate => ({
  id,
  title,
  description,
  v2: true,
  browser: false,
})
const groups = [
  { title: 'Web', templates: [template('a', 'React', 'A page with Vite'), template('b', 'Vue')] },
  { title: 'Servers', templates: [template('c', 'Express'), template('a', 'React', 'A page with Vite')] },
  { title: 'Empty', templates: [] },
]
const ids = (query: string) => matchTemplates(groups, query).map((group) => group.templates.map(({ id }) => id))

it('keeps the groups without a query and leaves out empty ones', () => {
  expect(ids(' ')).toEqual([
    ['a', 'b'],
    ['c', 'a'],
  ])
})

it('finds each template once, by title first and then by words of its description', () => {
  expect(ids('re')).toEqual([['a', 'c']])
  expect(ids('vite')).toEqual([['a']])
  expect(ids('cobol')).toEqual([])
})
