import { describe, expect, it } from 'vitest'
import type { Queryable } from './database.ts'
import { rowsInTurn, sameInTurn } from './sameTurn.ts'

const one = {} as Queryable
const other = {} as Queryable

describe('questions of one turn', () => {
  it('are asked once when they are the same, of the same connections, and again in the next turn', async () => {
    const asked: [Queryable, string][] = []
    const ask = sameInTurn<{ hash: string; now: number }, number>(
      ({ hash }) => hash,
      async (database, { hash }) => asked.push([database, hash]),
    )
    const answers = [one, one, other].map((database, now) => ask(database, { hash: 'a', now }))
    expect(await Promise.all([...answers, ask(one, { hash: 'b', now: 4 })])).toEqual([1, 1, 2, 3])
    expect(asked).toEqual([
      [one, 'a'],
      [other, 'a'],
      [one, 'b'],
    ])
    expect(await ask(one, { hash: 'a', now: 5 })).toBe(4)
  })

  it('see what was committed before the last of them came', async () => {
    let row = 'before'
    const ask = sameInTurn<null, string>(
      () => '',
      async () => row,
    )
    const first = ask(one, null)
    row = 'after'
    expect(await Promise.all([first, ask(one, null)])).toEqual(['after', 'after'])
  })

  it('tell all who ask the same when they fail', async () => {
    const ask = sameInTurn<null, never>(
      () => '',
      () => Promise.reject(new Error('away')),
    )
    const results = await Promise.allSettled([ask(one, null), ask(one, null)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

describe('rows asked for in one turn', () => {
  it('are one statement, and each gets its own in its order', async () => {
    const asked: string[][] = []
    const rows = rowsInTurn<{ id: string }>(async (_database, ids) => {
      asked.push([...ids])
      return ids.filter((id) => id !== 'gone').map((id) => ({ id }))
    })
    const [first, second] = await Promise.all([rows(one, ['a', 'gone', 'b']), rows(one, ['b', 'c'])])
    expect(asked).toEqual([['a', 'gone', 'b', 'c']])
    expect([first, second]).toEqual([
      [{ id: 'a' }, { id: 'b' }],
      [{ id: 'b' }, { id: 'c' }],
    ])
  })

  it('fail for nobody else when one asks for what can not be', async () => {
    const rows = rowsInTurn<{ id: string }>(async (_database, ids) => {
      if (ids.includes('no id')) throw new Error('no id')
      return ids.map((id) => ({ id }))
    })
    const [fine, wrong] = await Promise.allSettled([rows(one, ['a']), rows(one, ['no id'])])
    expect(fine).toEqual({ status: 'fulfilled', value: [{ id: 'a' }] })
    expect(wrong.status).toBe('rejected')
    await expect(rows(one, ['no id'])).rejects.toThrow('no id')
  })
})
