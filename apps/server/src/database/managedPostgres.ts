import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { StartError } from '../startError.ts'
import { findPostgresPrograms, isTraversable, OLDEST_POSTGRES, openToOthers } from './postgresPrograms.ts'
import type { PostgresPrograms } from './postgresPrograms.ts'

const run = promisify(execFile)

/** Where root keeps what another user must be able to reach when the home folder is closed to it. */
const SHARED_ROOT = '/var/lib/boxyard'
/** The kernel's limit for the path of a unix socket is 107 bytes; the file name takes 16. */
const LONGEST_SOCKET_FOLDER = 90
const POLL_MS = 20
/** How often it is looked whether the server still runs, and the pauses between attempts to start it again. */
const WATCH_MS = 200
const RESTART_MS = 1000
const LONGEST_RESTART_MS = 30_000
/** How long the processes of a killed server may take to end. */
const DYING_MS = 20_000
const leftovers = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/

export interface ManagedPostgresOptions {
  /** Folder of the data, made when it is missing: `BOXYARD_HOME/postgres`. */
  folder: string
  log: Record<'info' | 'error', (fields: object, message: string) => void>
  /** More server settings, for example `fsync: 'off'` in tests. */
  settings?: Readonly<Record<string, string>>
  /** Installed PostgreSQLs to choose from, best first. */
  programs?: readonly PostgresPrograms[]
}

export interface PostgresConnection {
  /** Folder of the unix socket. */
  host: string
  user: string
  database: string
}

export interface ManagedPostgres {
  connection: PostgresConnection
  /** The process that runs now; another one after it ended and was started again. */
  readonly pid: number
  /** Whether a server that an earlier, killed program left behind was taken over. */
  adopted: boolean
  /** Ends open transactions and stops the server; resolves when it is gone. */
  stop(): Promise<void>
}

interface Owner {
  uid: number
  gid: number
}

/**
 * Runs a PostgreSQL of our own on a unix socket that only its user and root can reach, and starts it again when it ends without being
 * asked to. The server outlives a killed program; the next start finds it through postmaster.pid and goes on with it.
 */
export async function startManagedPostgres(options: ManagedPostgresOptions): Promise<ManagedPostgres> {
  const owner = process.getuid?.() === 0 ? await unprivilegedUser() : null
  const root = placeFor(options.folder, owner)
  const place: Place = { owner, root, data: join(root, 'data'), socket: socketFolder(root, owner) }
  const connection: PostgresConnection = { host: place.socket, user: 'boxyard', database: 'boxyard' }
  const first = await bringUp(options, place, connection)
  const keeper = keepRunning(first.pid, options.log, async () => (await bringUp(options, place, connection)).pid)
  return {
    connection,
    get pid() {
      return keeper.pid()
    },
    adopted: first.adopted,
    stop: () => keeper.stop(),
  }
}

interface Place {
  owner: Owner | null
  root: string
  data: string
  /** Folder of the unix socket. */
  socket: string
}

/** Takes over the server that runs on this data, or starts one. Resolves when it answers. */
async function bringUp(
  options: ManagedPostgresOptions,
  { owner, root, data, socket }: Place,
  connection: PostgresConnection,
): Promise<{ pid: number; adopted: boolean }> {
  let programs: PostgresPrograms | null = null
  const patience = Date.now() + DYING_MS
  for (;;) {
    const left = await adopt(data, connection)
    if (left !== null) {
      await ensureDatabase(connection)
      options.log.info({ postgresPid: left }, 'went on with the PostgreSQL of an earlier run')
      return { pid: left, adopted: true }
    }
    if (!programs) {
      const chosen = await choosePrograms(data, options.programs ?? (await findPostgresPrograms()))
      programs = owner ? openToOthers(chosen, SHARED_ROOT) : chosen
    }
    if (!existsSync(data)) {
      await initialize(programs, root, data, connection.user, owner)
      options.log.info({ data, major: programs.major }, 'made a PostgreSQL database')
    }
    const child = spawnServer(programs.bin, data, socket, owner, options.settings ?? {})
    const problem = await waitUntilReady(child, connection, join(root, 'log'))
    if (problem === null) {
      const pid = child.pid!
      await ensureDatabase(connection)
      options.log.info({ postgresPid: pid, major: programs.major, socket }, 'PostgreSQL is ready')
      return { pid, adopted: false }
    }
    // Processes of a killed server may still be on their way out. PostgreSQL itself refuses until the last is gone.
    if (!leftovers.test(problem) || Date.now() > patience) throw new StartError(`PostgreSQL did not start: ${problem}`)
    await delay(POLL_MS)
  }
}

/** Looks after a process, also one that is no child of ours: calls `restart` when it is gone, again and again until that works. */
function keepRunning(
  firstPid: number,
  log: ManagedPostgresOptions['log'],
  restart: () => Promise<number>,
): { pid(): number; stop(): Promise<void> } {
  const stopping = new AbortController()
  let pid = firstPid
  const watching = watch()
  return {
    pid: () => pid,
    async stop() {
      stopping.abort()
      await watching
      await stopProcess(pid)
    },
  }

  async function watch(): Promise<void> {
    for (let failures = 0; ;) {
      const pause = failures === 0 ? WATCH_MS : Math.min(RESTART_MS * 2 ** (failures - 1), LONGEST_RESTART_MS)
      // The pause ends early when the server is to stop.
      await delay(pause, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      if (signal(pid, 0)) continue
      if (failures === 0) log.error({ postgresPid: pid }, 'PostgreSQL ended without being asked to; starting it again')
      try {
        pid = await restart()
        failures = 0
      } catch (error) {
        failures += 1
        log.error({ err: error, failures }, 'PostgreSQL could not be started again; trying once more')
      }
    }
  }
}

/** Makes the data folder, complete or not at all. */
async function initialize(
  { bin }: PostgresPrograms,
  root: string,
  data: string,
  user: string,
  owner: Owner | null,
): Promise<void> {
  const draft = join(root, 'data.draft')
  rmSync(draft, { recursive: true, force: true })
  const args = ['-D', draft, '-U', user, '-A', 'trust', '--no-locale', '-E', 'UTF8', '--no-instructions']
  await run(join(bin, 'initdb'), args, { ...owner, cwd: root, env: { PATH: process.env['PATH'], LANG: 'C' } })
  renameSync(draft, data)
}

async function unprivilegedUser(): Promise<Owner> {
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    } catch {
      // No such user; the next one will do.
      continue
    }
  }
  throw new StartError(
    'PostgreSQL refuses to run as root, and there is no user postgres or nobody. Start the server as another user.',
  )
}

/** The folder itself, or one that `owner` can reach with a link to it at the wished place. */
function placeFor(folder: string, owner: Owner | null): string {
  const present = lstatSync(folder, { throwIfNoEntry: false })
  if (present === undefined && owner && !isTraversable(dirname(folder))) {
    const place = join(SHARED_ROOT, `postgres-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`)
    mkdirSync(dirname(folder), { recursive: true })
    makeFolder(place, owner)
    symlinkSync(place, folder)
  }
  if (present === undefined || (present.isDirectory() && readdirSync(folder).length === 0)) makeFolder(folder, owner)
  const place = realpathSync(folder)
  if (owner && !isTraversable(dirname(place))) {
    throw new StartError(
      `PostgreSQL can not run as root, and its user may not enter ${dirname(place)}. ` +
        'Start the server as the user that owns the data, or open the folders above it (chmod o+x).',
    )
  }
  return place
}

function makeFolder(folder: string, owner: Owner | null): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o711 })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  if (owner) chownSync(folder, owner.uid, owner.gid)
}

function socketFolder(root: string, owner: Owner | null): string {
  const beside = join(root, 'socket')
  const folder =
    Buffer.byteLength(beside) <= LONGEST_SOCKET_FOLDER
      ? beside
      : `/tmp/boxyard-postgres-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`
  if (!existsSync(folder)) makeFolder(folder, owner)
  const { uid } = lstatSync(folder)
  if (uid !== (process.getuid?.() ?? uid) && uid !== owner?.uid) {
    throw new StartError(`The folder ${folder} belongs to another user. Remove it and start again.`)
  }
  makeFolder(folder, owner)
  return folder
}

async function choosePrograms(data: string, found: readonly PostgresPrograms[]): Promise<PostgresPrograms> {
  const versionFile = join(data, 'PG_VERSION')
  if (existsSync(data) && !existsSync(versionFile)) {
    throw new StartError(
      `The folder ${data} holds no PostgreSQL database. Nothing was changed. Move it away and start again.`,
    )
  }
  if (!existsSync(data)) {
    if (found[0]) return found[0]
    throw new StartError(
      `There is no PostgreSQL ${OLDEST_POSTGRES} or newer on this machine. Install one, or set DATABASE_URL to an external one.`,
    )
  }
  const version = readFileSync(versionFile, 'utf8').trim()
  const match = found.find(({ major }) => String(major) === version)
  if (match) return match
  const installed = found.map(({ major }) => major).join(', ') || 'none'
  throw new StartError(
    `The database in ${data} was made by PostgreSQL ${version}, but this machine has: ${installed}. ` +
      `Nothing was changed. Install PostgreSQL ${version}, or move the data with pg_dump and set DATABASE_URL.`,
  )
}

/** The process id of a server that runs on this data and answers on our socket, or null when there is none. */
async function adopt(data: string, connection: PostgresConnection): Promise<number | null> {
  for (;;) {
    const pid = livingPostmaster(data)
    if (pid === null) return null
    if (await answers(connection)) return pid
    await delay(POLL_MS)
  }
}

function livingPostmaster(data: string): number | null {
  const path = join(data, 'postmaster.pid')
  if (!existsSync(path)) return null
  const pid = Number(readFileSync(path, 'utf8').split('\n', 1)[0])
  if (!Number.isInteger(pid) || pid <= 0) return null
  const commandLine = `/proc/${pid}/cmdline`
  // A reused process id names another program.
  return existsSync(commandLine) && readFileSync(commandLine, 'utf8').split('\0').includes(data) ? pid : null
}

async function ensureDatabase(connection: PostgresConnection): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' })
  // A server that ends again right away also fails the query, which says so; without a listener it would end this program.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [connection.database])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(connection.database)}`)
  } finally {
    await client.end()
  }
}

async function answers(connection: PostgresConnection): Promise<boolean> {
  const client = new Client({ ...connection, database: 'postgres' })
  // A server that is on its way up or down closes the connection; that is a no, like a failed connect.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

function spawnServer(
  bin: string,
  data: string,
  socket: string,
  owner: Owner | null,
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  const all = { listen_addresses: '', unix_socket_directories: socket, unix_socket_permissions: '0700', ...settings }
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(join(data, '..', 'log'), 'w', 0o600)
  // Its own session: Ctrl-C in the terminal reaches this program alone, which then stops PostgreSQL in order.
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...args], {
    ...owner,
    cwd: data,
    detached: true,
    env: { PATH: process.env['PATH'], LANG: 'C', TZ: 'UTC' },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  return child
}

/** Null when it answers, else why it ended. */
async function waitUntilReady(
  child: ChildProcess,
  connection: PostgresConnection,
  log: string,
): Promise<string | null> {
  const end: { reason: string | null } = { reason: null }
  child.once('error', (error) => (end.reason = error.message))
  child.once('exit', (code, signal) => (end.reason = `it ended with ${signal ?? `status ${code}`}`))
  while (end.reason === null) {
    if (await answers(connection)) return null
    await delay(POLL_MS)
  }
  const lines = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n')
  return `${end.reason}.\n${lines}`
}

/** SIGINT is PostgreSQL's fast shutdown: it rolls back what is open, writes a checkpoint and ends. */
async function stopProcess(pid: number): Promise<void> {
  if (!signal(pid, 'SIGINT')) return
  while (signal(pid, 0)) await delay(POLL_MS)
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}
