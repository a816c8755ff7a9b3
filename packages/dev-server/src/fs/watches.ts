import { watch } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { ProtocolError, type NotificationParams } from '@boxyard/protocol'
import type { Connection } from '../area.ts'
import type { Log } from '../log.ts'
import { hasCode, withErrno } from './errno.ts'
import { isPlainGlob } from './glob.ts'
import { FolderWatch } from './FolderWatch.ts'
import { pathPattern } from './pathPattern.ts'

const BATCH_MS = 100
/** More than any editor asks for; each costs the kernel some memory. */
const MAX_WATCHES = 1000

type ChangeType = NotificationParams<'fs/watchEvent'>['events'][number]['type']
type Report = (type: ChangeType, path: string) => void
/** Stops watching. */
type Stop = () => Promise<void>

const types = { create: 'add', update: 'change', delete: 'remove' } as const

/** The watches of all clients. Changes are collected for a moment and told in one notification. */
export class Watches {
  readonly #log: Log
  readonly #byConnection = new Map<Connection, Map<string, Stop>>()

  constructor(log: Log) {
    this.#log = log
  }

  async add(
    connection: Connection,
    path: string,
    options: { recursive: boolean; excludes: string[] },
  ): Promise<string> {
    const watches = this.#byConnection.get(connection) ?? new Map<string, Stop>()
    this.#byConnection.set(connection, watches)
    if (watches.size >= MAX_WATCHES)
      throw new ProtocolError('RATE_LIMIT', `A client has at most ${MAX_WATCHES} watches`)
    const refused = options.excludes.find((glob) => !isPlainGlob(glob))
    if (refused !== undefined) throw new ProtocolError('INVALID_PARAMS', `excludes: '${refused}' is not a plain glob`)
    const watchId = randomUUID()
    const batch = new Batch((events) => connection.notify('fs/watchEvent', { watchId, events }))
    const stop = await withErrno(async () => {
      const info = await lstat(path)
      return info.isDirectory() && options.recursive
        ? watchBelow(path, options.excludes, batch.report, this.#log)
        : watchOne(path, info.isDirectory(), batch.report)
    })
    const stopAll = async (): Promise<void> => {
      batch.drop()
      await stop()
    }
    // The client may have left while the watch was set up.
    if (this.#byConnection.get(connection) === watches) watches.set(watchId, stopAll)
    else await stopAll()
    return watchId
  }

  async remove(connection: Connection, watchId: string): Promise<boolean> {
    const watches = this.#byConnection.get(connection)
    const stop = watches?.get(watchId)
    watches?.delete(watchId)
    await stop?.()
    return stop !== undefined
  }

  async removeAll(connection: Connection): Promise<void> {
    const watches = this.#byConnection.get(connection)
    this.#byConnection.delete(connection)
    await Promise.all([...(watches?.values() ?? [])].map((stop) => stop()))
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#byConnection.keys()].map((connection) => this.removeAll(connection)))
  }
}

/** Joins the changes of one moment: one entry a path, as its sum. */
class Batch {
  readonly #send: (events: NotificationParams<'fs/watchEvent'>['events']) => void
  readonly #changes = new Map<string, ChangeType>()
  #timer: NodeJS.Timeout | undefined

  constructor(send: (events: NotificationParams<'fs/watchEvent'>['events']) => void) {
    this.#send = send
  }

  readonly report: Report = (type, path) => {
    const before = this.#changes.get(path)
    if (before === 'add' && type === 'remove') this.#changes.delete(path)
    else if (before === 'add' && type === 'change') return
    else this.#changes.set(path, before === 'remove' && type === 'add' ? 'change' : type)
    this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS)
  }

  drop(): void {
    clearTimeout(this.#timer)
    this.#changes.clear()
  }

  #flush(): void {
    this.#timer = undefined
    const byType = new Map<ChangeType, string[]>()
    for (const [path, type] of this.#changes) byType.set(type, [...(byType.get(type) ?? []), path])
    this.#changes.clear()
    if (byType.size > 0) this.#send([...byType].map(([type, paths]) => ({ type, paths })))
  }
}

async function watchBelow(root: string, excludes: readonly string[], report: Report, log: Log): Promise<Stop> {
  // What is no pattern is a path, which may be absolute.
  const patterns = excludes.map((glob) => pathPattern(/[*?{[]/.test(glob) ? glob : relative(root, resolve(root, glob))))
  const folderWatch = await FolderWatch.start({
    root,
    isIgnored: (path) => {
      const below = relative(root, path)
      return patterns.some((fits) => fits(below))
    },
    onEvents: (events) => {
      for (const { type, path } of events) report(types[type], path)
    },
    log,
  })
  return () => folderWatch.close()
}

/** Watches a folder without what is below it, or one file; a file is watched by its folder, so that replacing it is seen. */
async function watchOne(path: string, isFolder: boolean, report: Report): Promise<Stop> {
  const folder = isFolder ? path : dirname(path)
  const known = new Set(await readdir(folder))
  const watcher = watch(folder, { persistent: false }, (event, name) => {
    if (name === null || (!isFolder && name !== basename(path))) return
    const changed = join(folder, name)
    if (event === 'change') {
      report('change', changed)
      return
    }
    lstat(changed).then(
      () => {
        report(known.has(name) ? 'change' : 'add', changed)
        known.add(name)
      },
      (error: unknown) => {
        if (hasCode(error, 'ENOENT') && known.delete(name)) report('remove', changed)
      },
    )
  })
  watcher.on('error', () => watcher.close())
  return () => {
    watcher.close()
    return Promise.resolve()
  }
}
