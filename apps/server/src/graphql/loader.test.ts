import { expect, it } from 'vitest'
import type { GraphqlContext } from './graphqlContext.ts'
import { defineLoader, defineRowLoader } from './loader.ts'

const context = () => ({}) as GraphqlContext

it('a loader asks once for all keys of a request, and answers equal ones with the same promise', async () => {
  const asked: (readonly string[])[] = []
  const loader = defineRowLoader<{ id: string }>(async (_context, ids) => {
    asked.push(ids)
    return ids.filter((id) => id !== 'gone').map((id) => ({ id }))
  })
  const [one, other] = [context(), context()]
  expect(loader(one).load('a')).toBe(loader(one).load('a'))
  expect(await loader(one).loadMany(['a', 'gone', 'b'])).toEqual([{ id: 'a' }, null, { id: 'b' }])
  await loader(other).load('a')
  expect(asked).toEqual([['a', 'gone', 'b'], ['a']])
})

it('a loader keeps what it is given, and says for which key it failed', async () => {
  const loader = defineLoader<string, number>(async (_context, keys) =>
    keys.map((key) => (key === 'wrong' ? new Error('wrong') : key.length)),
  )
  const own = context()
  loader(own).prime('given', 1)
  expect(await loader(own).load('given')).toBe(1)
  const results = await Promise.allSettled([loader(own).load('wrong'), loader(own).load('fine')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})
