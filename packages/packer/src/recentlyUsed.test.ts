import { expect, it } from 'vitest'
import { RecentlyUsed } from './recentlyUsed.ts'

const kept = (recent: RecentlyUsed<string>, keys: string) => [...keys].filter((key) => recent.get(key) !== undefined)

it('PK943: keeps what was asked for last, in number', () => {
  const recent = new RecentlyUsed<string>({ entries: 2, weight: 100 })
  recent.set('a', 'a', 1)
  recent.set('b', 'b', 1)
  recent.get('a')
  recent.set('c', 'c', 1)
  expect(kept(recent, 'abc')).toEqual(['a', 'c'])
})

it('PK943: keeps what was asked for last, in weight, and nothing that is heavier than all may be', () => {
  const recent = new RecentlyUsed<string>({ entries: 10, weight: 10 })
  recent.set('a', 'a', 4)
  recent.set('b', 'b', 4)
  recent.set('a', 'again', 2)
  recent.set('c', 'c', 7)
  expect(kept(recent, 'abc')).toEqual(['a', 'c'])
  recent.set('d', 'd', 11)
  expect(kept(recent, 'abcd')).toEqual([])
})
