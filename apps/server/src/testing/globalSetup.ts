import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../database/database.ts'
import { startManagedPostgres } from '../database/managedPostgres.ts'
import { migrate } from '../database/migrate.ts'
import { temporaryFolder } from './folders.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; user: string }
  }
}

export const TEMPLATE_DATABASE = 'boxyard'

/** One PostgreSQL for all integration tests, migrated once. It need not survive anything, so it syncs nothing. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = temporaryFolder('postgres')
  const postgres = await startManagedPostgres({
    folder: join(folder, 'postgres'),
    log: { info: () => undefined },
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  const stop = async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const connection = openDatabase({ ...postgres.connection, database: TEMPLATE_DATABASE }, () => undefined)
    await migrate(connection.pool)
    await connection.close()
  } catch (error) {
    await stop()
    throw error
  }
  const { host, user } = postgres.connection
  project.provide('postgres', { host, user })
  return stop
}
