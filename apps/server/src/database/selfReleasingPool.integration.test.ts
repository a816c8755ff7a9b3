import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import type { TestDatabase } from '../testing/database.ts'
import { isDatabaseAway, openDatabase } from './database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.drop())

it('AP703: a connection that broke before a transaction could begin on it leaves its place to another one', async () => {
  const { database, pool, close } = openDatabase({ ...test.target, max: 1 }, () => undefined)
  const connect = pool.connect.bind(pool)
  vi.spyOn(pool, 'connect').mockImplementationOnce(async () => {
    const client = await connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
    const killer = new Client(test.target)
    await killer.connect()
    await killer.query('select pg_terminate_backend($1)', [rows[0]!.pid])
    await killer.end()
    await ended
    return client
  })
  const failed = await database.transaction((tx) => tx.execute(sql`select 1`)).catch((error: unknown) => error)
  expect(isDatabaseAway(failed)).toBe(true)
  expect(pool.totalCount).toBe(0)
  const { rows } = await database.transaction((tx) => tx.execute(sql`select 1 as one`))
  expect(rows).toEqual([{ one: 1 }])
  await close()
})
