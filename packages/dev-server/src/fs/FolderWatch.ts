import { watch, type FSWatcher } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Log } from '../log.ts'
import { hasCode } from './errno.ts'

/** Changes of this time are told together. */
const JOIN_MS = 20

/** A name may be taken by something else at once: then there is a delete and a create. */
export interface FolderEvent {
  type: 'create' | 'update' | 'delete'
  /** Absolute. */
  path: string
}

export interface FolderWatchOptions {
  root: string
  /** Whether a path is left out, and with it everything below it. */
  isIgnored: (path: string) => boolean
  onEvents: (events: readonly FolderEvent[]) => void
  log: Log
}

interface Folder {
  watcher: FSWatcher
  /** What is in it, as far as it was told. */
  names: Set<string>
}

/**
 * Watches a folder and everything below it, with one watch of the kernel for each folder. All of them are read by the event loop itself.
 * A thread of its own that waits for the kernel is woken by the signal of any child that ends, and what is made for watching takes that
 * for a failure and is silent from then on ([ADR 30](../../../../docs/adr/0030-watching-without-threads.md)).
 */
export class FolderWatch {
  readonly #options: FolderWatchOptions
  readonly #folders = new Map<string, Folder>()
  #changes = new Map<string, 'name' | 'content'>()
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> = Promise.resolve()
  #isClosed = false
  #hasComplained = false

  private constructor(options: FolderWatchOptions) {
    this.#options = options
  }

  /** Resolves when the whole folder is watched. Rejects when it is no folder that can be. */
  static async start(options: FolderWatchOptions): Promise<FolderWatch> {
    const folderWatch = new FolderWatch(options)
    const watcher = watch(options.root, { persistent: false })
    try {
      await folderWatch.#follow(options.root, watcher, [])
    } catch (error) {
      await folderWatch.close()
      throw error
    }
    return folderWatch
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const { watcher } of this.#folders.values()) watcher.close()
    this.#folders.clear()
    await this.#work
  }

  /** Watches a folder below the root and tells what it holds. One that has gone again holds nothing. */
  async #add(folder: string, events: FolderEvent[]): Promise<void> {
    if (this.#isClosed || this.#folders.has(folder) || this.#tellsNothing(folder)) return
    let watcher: FSWatcher
    try {
      watcher = watch(folder, { persistent: false })
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) this.#complain(error, folder)
      return
    }
    await this.#follow(folder, watcher, events)
  }

  async #follow(folder: string, watcher: FSWatcher, events: FolderEvent[]): Promise<void> {
    const names = new Set<string>()
    this.#folders.set(folder, { watcher, names })
    watcher.on('change', (type, name) => this.#heard(folder, type, name))
    // A folder that was removed takes its watch along; its parent tells.
    watcher.on('error', () => watcher.close())
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return []
      throw error
    })
    const below: Promise<void>[] = []
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (names.has(entry.name) || this.#options.isIgnored(path)) continue
      names.add(entry.name)
      events.push({ type: 'create', path })
      if (entry.isDirectory()) below.push(this.#add(path, events))
    }
    await Promise.all(below)
  }

  #heard(folder: string, type: string, name: string | Buffer | null): void {
    if (this.#isClosed || typeof name !== 'string') return
    const path = join(folder, name)
    if (this.#options.isIgnored(path)) return
    if (type === 'rename') this.#changes.set(path, 'name')
    else if (!this.#changes.has(path)) this.#changes.set(path, 'content')
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const changes = this.#changes
      this.#changes = new Map()
      this.#work = this.#work.then(() => this.#tell(changes)).catch((error: unknown) => this.#complain(error, folder))
    }, JOIN_MS)
  }

  async #tell(changes: ReadonlyMap<string, 'name' | 'content'>): Promise<void> {
    const found = await Promise.all([...changes].map(([path, what]) => this.#look(path, what)))
    const events = found.flat()
    if (!this.#isClosed && events.length > 0) this.#options.onEvents(events)
  }

  async #look(path: string, what: 'name' | 'content'): Promise<FolderEvent[]> {
    const name = basename(path)
    const folder = this.#folders.get(dirname(path))
    // It went with its folder, which is told.
    if (!folder) return []
    if (what === 'content') return folder.names.has(name) ? [{ type: 'update', path }] : []
    const entry = await entryAt(path)
    const events: FolderEvent[] = []
    if (folder.names.delete(name)) this.#drop(path, events)
    else if (!entry) return this.#lookAtRoot(path)
    if (!entry || this.#isClosed) return events
    folder.names.add(name)
    events.push({ type: 'create', path })
    if (entry.isDirectory()) await this.#add(path, events)
    return events
  }

  /** The end of a folder is told by the folder itself, with its own name: that of the root by nobody else. */
  async #lookAtRoot(path: string): Promise<FolderEvent[]> {
    const { root } = this.#options
    const events: FolderEvent[] = []
    if (dirname(path) === root && basename(path) === basename(root) && !(await entryAt(root))) this.#drop(root, events)
    return events
  }

  /** Tells that something is gone, with everything below it. */
  #drop(path: string, events: FolderEvent[]): void {
    events.push({ type: 'delete', path })
    const folder = this.#folders.get(path)
    if (!folder) return
    this.#folders.delete(path)
    folder.watcher.close()
    for (const name of folder.names) this.#drop(join(path, name), events)
  }

  /** Whatever a folder holds is left out: it needs no watch. */
  #tellsNothing(folder: string): boolean {
    return this.#options.isIgnored(join(folder, '\uFFFF'))
  }

  /** The kernel has only so many watches, and says so for every folder that gets none. */
  #complain(error: unknown, path: string): void {
    if (this.#hasComplained || this.#isClosed) return
    this.#hasComplained = true
    this.#options.log.error('Changes of some folders will not be seen by themselves', error, { path })
  }
}

async function entryAt(path: string): Promise<Awaited<ReturnType<typeof lstat>> | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw error
  }
}
