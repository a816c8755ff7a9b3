import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import type { TestDatabase } from '../testing/database.ts'
import { openDatabase } from './database.ts'
import { migrate, migrationsFolder } from './migrate.ts'

let database: TestDatabase
const newer = mkdtempSync(join(tmpdir(), 'boxyard-test-migrations-'))

beforeAll(async () => {
  database = await createTestDatabase()
  cpSync(migrationsFolder, newer, { recursive: true })
  const journalPath = join(newer, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(journalPath, 'utf8')) as {
    entries: { idx: number; tag: string; when: number }[]
  }
  const when = Math.max(...journal.entries.map((entry) => entry.when)) + 1
  journal.entries.push({ ...journal.entries[0]!, idx: journal.entries.length, tag: 'of_a_newer_program', when })
  writeFileSync(journalPath, JSON.stringify(journal))
  writeFileSync(join(newer, 'of_a_newer_program.sql'), 'create table newer (id int);')
})
afterAll(async () => {
  await database.drop()
  rmSync(newer, { recursive: true })
})

describe('migrations', () => {
  it('run once, also when several servers start together', async () => {
    const others = [1, 2, 3].map(() => openDatabase({ connectionString: database.url }, () => undefined))
    await Promise.all(others.map(({ pool }) => migrate(pool, newer)))
    await Promise.all(others.map((other) => other.close()))
    const { rows } = await database.pool.query('select count(*)::int as count from newer')
    expect(rows).toEqual([{ count: 0 }])
  })

  it('refuse a database that a newer program changed', async () => {
    await expect(migrate(database.pool)).rejects.toThrow(
      'The database was changed by a newer Boxyard (1 migration unknown here)',
    )
  })
})
