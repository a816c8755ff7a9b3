import { expect, it } from 'vitest'
import { ActionSearch, maxResults, queryCancelled, rankActions, searchDebounce } from './ActionSearch.ts'
import type { PaletteAction } from './paletteAction.ts'

const actions: PaletteAction[] = [
  { id: 'theme', name: 'Change theme', section: 'Looks' },
  { id: 'dark', name: 'Dark', parent: 'theme' },
  { id: 'create', name: 'Create devbox', section: 'Go', priority: 5, keywords: ['new', 'sandbox'] },
  { id: 'recent', name: 'Recent', section: 'Go', priority: 9 },
]
const ids = (list: readonly PaletteAction[]) => list.map((action) => action.id)

it('lists the top by section and priority, and a list below it on its own', () => {
  expect(ids(rankActions(actions, '', undefined))).toEqual(['recent', 'create', 'theme'])
  expect(ids(rankActions(actions, '', 'theme'))).toEqual(['dark'])
})

it('finds by name, keyword, and inside lists', () => {
  expect(ids(rankActions(actions, 'devbox', undefined))).toEqual(['create'])
  expect(ids(rankActions(actions, 'sandb', undefined))).toEqual(['create'])
  expect(ids(rankActions(actions, 'dark', undefined))).toEqual(['dark'])
  expect(ids(rankActions(actions, 'recent', 'theme'))).toEqual([])
})

it('gives at most a hundred results', () => {
  const many = Array.from({ length: 150 }, (_, index) => ({ id: `${index}`, name: `Action ${index}` }))
  expect(rankActions(many, '', undefined)).toHaveLength(maxResults)
  expect(rankActions(many, 'action', undefined)).toHaveLength(maxResults)
})

it('answers an overtaken search with "Query cancelled"', async () => {
  const waiting = new Set<() => void>()
  const search = new ActionSearch({
    after(milliseconds, callback) {
      expect(milliseconds).toBe(searchDebounce)
      waiting.add(callback)
      return () => waiting.delete(callback)
    },
  })
  const first = search.search(actions, 'c')
  const second = search.search(actions, 'cr')
  await expect(first).rejects.toThrow(queryCancelled)
  expect(waiting.size).toBe(1)
  for (const callback of waiting) callback()
  expect(ids(await second)[0]).toBe('create')
})
