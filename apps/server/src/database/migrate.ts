import { installation } from '../installation.ts'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { StartError } from '../startError.ts'

export const migrationsFolder = installation.migrations

/** Any number that nothing else in the database takes as an advisory lock. */
const MIGRATION_LOCK = 0x626f78

/**
 * Brings the tables up to date. Instances that start together wait for each other. A database that a newer program has changed is
 * refused with a StartError and left as it is.
 */
export async function migrate(pool: pg.Pool, folder = migrationsFolder): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await refuseNewer(client, folder)
    await runMigrations(drizzle(client), { migrationsFolder: folder })
  } finally {
    // The lock ends with the connection, also when the query that would release it can not run.
    client.release(true)
  }
}

async function refuseNewer(client: pg.PoolClient, folder: string): Promise<void> {
  const { rows: tables } = await client.query<{ found: string | null }>(
    `select to_regclass('drizzle.__drizzle_migrations')::text as found`,
  )
  if (!tables[0]?.found) return
  const known = new Set(readMigrationFiles({ migrationsFolder: folder }).map(({ hash }) => hash))
  const { rows } = await client.query<{ hash: string }>('select hash from drizzle.__drizzle_migrations')
  const unknown = rows.filter(({ hash }) => !known.has(hash)).length
  if (unknown === 0) return
  throw new StartError(
    `The database was changed by a newer Boxyard (${unknown} ${unknown === 1 ? 'migration' : 'migrations'} unknown here). ` +
      'Nothing was changed. Start the newer program, or restore a backup from before it.',
  )
}
