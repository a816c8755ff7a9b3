import { eq, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import type { TestDatabase } from '../testing/database.ts'
import { openDatabase } from './database.ts'
import type { DatabaseConnection } from './database.ts'
import { teams, users } from './schema.ts'
import { defineStatement, defineStatements } from './statement.ts'

let test: TestDatabase
/** One connection, so that what it keeps can be looked at. */
let one: DatabaseConnection
beforeAll(async () => {
  test = await createTestDatabase()
  one = openDatabase({ ...test.target, max: 1 }, () => undefined)
  await test.database.insert(users).values({ id: randomUUID(), username: 'ada', email: '' })
})
afterAll(async () => {
  await one.close()
  await test.drop()
})

async function keptBy({ pool }: DatabaseConnection, name: string): Promise<number[]> {
  const { rows } = await pool.query<{ runs: number }>(
    `select (generic_plans + custom_plans)::int as runs from pg_prepared_statements where name like $1`,
    [`${name} %`],
  )
  return rows.map(({ runs }) => runs)
}

const named = defineStatement<{ username: string }, { username: string }[]>('test named', (database) =>
  database
    .select({ username: users.username })
    .from(users)
    .where(eq(users.username, sql.placeholder('username'))),
)

it('a statement is read once by a connection, in transactions too, and answers what it is given', async () => {
  expect(await named(one.database, { username: 'ada' })).toEqual([{ username: 'ada' }])
  expect(await named(one.database, { username: 'grace' })).toEqual([])
  const inside = one.database.transaction(async (tx) => {
    await tx.update(users).set({ username: 'grace' }).where(eq(users.username, 'ada'))
    return named(tx, { username: 'grace' })
  })
  expect(await inside).toEqual([{ username: 'grace' }])
  expect(await keptBy(one, 'test named')).toEqual([3])
})

it('a statement goes on after its table changed', async () => {
  await named(one.database, { username: 'grace' })
  await one.pool.query('alter table users add column added_later text')
  expect(await named(one.database, { username: 'grace' })).toEqual([{ username: 'grace' }])
})

it('of the shapes of a statement only so many are kept, and the others answer as well', async () => {
  const shaped = defineStatements<number, Record<string, never>, { shape: number }[]>(
    'test shaped',
    (database, shape) =>
      database
        .select({ shape: sql<number>`${sql.raw(String(shape))}` })
        .from(users)
        .leftJoin(teams, sql`false`),
  )
  for (let round = 0; round < 2; round += 1) {
    for (let shape = 0; shape < 105; shape += 1) expect(await shaped(one.database, shape, {})).toEqual([{ shape }])
  }
  expect(await keptBy(one, 'test shaped')).toEqual(Array.from({ length: 100 }, () => 2))
})

it('a name is given once', () => {
  expect(() => defineStatement('test named', (database) => database.select().from(users))).toThrow(
    'There is a statement test named already',
  )
})

it('a statement of one table reads its rows as any other query does', async () => {
  const all = defineStatement<Record<string, never>, (typeof users.$inferSelect)[]>('test all', (database) =>
    database.select().from(users),
  )
  const rows = await all(one.database, {})
  expect(rows).toEqual(await one.database.select().from(users))
  expect(rows[0]!.insertedAt).toBeInstanceOf(Date)
})
