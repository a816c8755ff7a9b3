import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import { openDatabase } from '../database/database.ts'
import type { DatabaseConnection } from '../database/database.ts'
import { TEMPLATE_DATABASE } from './globalSetup.ts'

export interface TestDatabase extends DatabaseConnection {
  /** For programs that connect by themselves. */
  url: string
  /** Closes the connections and removes the database. */
  drop(): Promise<void>
}

/** A migrated, empty database of the test file's own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { host, user } = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name} template ${TEMPLATE_DATABASE}`)
  const connection = openDatabase({ host, user, database: name }, () => undefined)
  return {
    ...connection,
    url: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`,
    async drop() {
      await connection.close()
      await administer(`drop database ${name} with (force)`)
    },
  }
}

async function administer(statement: string): Promise<void> {
  const { host, user } = inject('postgres')
  const client = new Client({ host, user, database: 'postgres' })
  await client.connect()
  try {
    // Only one copy of a template can be made at a time; the lock makes test files wait instead of fail.
    await client.query('select pg_advisory_lock(1)')
    await client.query(statement)
  } finally {
    await client.end()
  }
}
