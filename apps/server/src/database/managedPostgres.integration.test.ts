import { chmodSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/folders.ts'
import { startManagedPostgres } from './managedPostgres.ts'
import type { ManagedPostgres } from './managedPostgres.ts'
import { findPostgresPrograms } from './postgresPrograms.ts'

const log = { info: () => undefined }
const fast = { fsync: 'off', full_page_writes: 'off' }
const cleanUps: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

function newFolder(mode = 0o711): string {
  const folder = temporaryFolder('postgres')
  chmodSync(folder, mode)
  cleanUps.push(() => {
    // In a closed folder it is a link to where the data really is.
    const link = join(folder, 'postgres')
    if (existsSync(link)) rmSync(realpathSync(link), { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

async function start(
  options: Partial<Parameters<typeof startManagedPostgres>[0]> & { folder: string },
): Promise<ManagedPostgres> {
  const postgres = await startManagedPostgres({ log, settings: fast, ...options })
  cleanUps.push(() => postgres.stop())
  return postgres
}

async function query(postgres: ManagedPostgres, text: string): Promise<unknown[]> {
  const client = new Client(postgres.connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

describe('the managed PostgreSQL', () => {
  it('is on a unix socket that only its user reaches, and nowhere else', async () => {
    const postgres = await start({ folder: join(newFolder(), 'postgres') })
    expect(await query(postgres, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(await query(postgres, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
    expect(statSync(postgres.connection.host).mode & 0o777).toBe(0o700)
  })

  it('finds a place for its data when the folder is closed to its user', async () => {
    const closed = newFolder(0o700)
    const postgres = await start({ folder: join(closed, 'postgres') })
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
    // As root the data is elsewhere, with a link to it.
    const isRoot = process.getuid?.() === 0
    expect(realpathSync(join(closed, 'postgres')).startsWith(realpathSync(closed))).toBe(!isRoot)
  })

  it('keeps its socket path short enough, however long the path of the home folder is', async () => {
    const deep = join(newFolder(), 'a'.repeat(60), 'b'.repeat(60))
    mkdirSync(deep, { recursive: true })
    const postgres = await start({ folder: join(deep, 'postgres') })
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('runs the PostgreSQL of the npm package where the system has none', async () => {
    const programs = (await findPostgresPrograms('/nowhere')).filter(({ origin }) => origin === 'package')
    expect(programs).toHaveLength(1)
    const postgres = await start({ folder: join(newFolder(), 'postgres'), programs })
    const [row] = (await query(postgres, 'show server_version_num')) as { server_version_num: string }[]
    expect(Number(row!.server_version_num)).toBeGreaterThanOrEqual(programs[0]!.major * 10_000)
  })

  it('refuses data of another version and leaves it as it is', async () => {
    const folder = join(newFolder(), 'postgres')
    mkdirSync(join(folder, 'data'), { recursive: true })
    writeFileSync(join(folder, 'data', 'PG_VERSION'), '9\n')
    await expect(startManagedPostgres({ folder, log })).rejects.toThrow(
      /was made by PostgreSQL 9, but this machine has: .*Nothing was changed/,
    )
    expect(existsSync(join(folder, 'data', 'PG_VERSION'))).toBe(true)
  })

  it('says what to do when there is no PostgreSQL', async () => {
    await expect(startManagedPostgres({ folder: join(newFolder(), 'postgres'), log, programs: [] })).rejects.toThrow(
      'Install one, or set DATABASE_URL',
    )
  })

  it('says why it did not start, and begins anew after a first start that was cut short', async () => {
    const folder = join(newFolder(), 'postgres')
    await expect(startManagedPostgres({ folder, log, settings: { max_connections: 'many' } })).rejects.toThrow(
      /PostgreSQL did not start: it ended with status 1\.\n.*max_connections/s,
    )
    renameSync(join(folder, 'data'), join(folder, 'data.draft'))
    const postgres = await start({ folder })
    expect(await query(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('refuses data that its user can not reach and says how to open it', async () => {
    const closed = newFolder(0o700)
    mkdirSync(join(closed, 'postgres', 'data'), { recursive: true })
    const starting = startManagedPostgres({ folder: join(closed, 'postgres'), log, settings: fast })
    if (process.getuid?.() === 0) await expect(starting).rejects.toThrow(`may not enter ${realpathSync(closed)}`)
    else await (await starting).stop()
  })
})
