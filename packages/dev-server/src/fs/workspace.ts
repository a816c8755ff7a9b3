import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { NODE_DIRECTORY, NODE_FILE, type TreeNode, type TreeOperation } from '@boxyard/protocol'
import type { Log } from '../log.ts'
import { SerialQueue } from '../serialQueue.ts'
import { syncFolder } from '../syncFolder.ts'
import { isClosedFolder, readEntries, readEntry, type DiskEntry } from './diskEntry.ts'
import { hasCode } from './errno.ts'
import { derivedId, FileTree } from './fileTree.ts'
import { FolderWatch, type FolderEvent } from './FolderWatch.ts'

/** An operation with its place in the order. Its author has it in the answer of the own request already. */
export interface ClockedOperation {
  operation: TreeOperation
  clock: number
  author: string | null
}

/** Ids that can't be derived from paths, as they change: path, and id or null. */
export type IdChanges = [path: string, id: string | null][]

export interface WorkspaceOptions {
  /** Absolute path. */
  root: string
  /** Ids of earlier runs that can't be derived from paths. */
  ids: ReadonlyMap<string, string>
  /** The clock goes on from here. */
  clock: number
  /** Makes ids durable. */
  saveIds: (changes: IdChanges) => Promise<void>
  /** Tells the clients. */
  announce: (operations: ClockedOperation[]) => void
  log: Log
}

/** Hears of an absolute path, and what happened there. One thing may be told twice. */
export type ContentListener = (path: string, type: FolderEvent['type']) => void

/** The content of closed folders is not watched. The folders themselves are seen. */
export function isUnwatched(root: string, path: string): boolean {
  const folder = dirname(path)
  return folder !== root && isClosedFolder({ name: basename(folder), type: NODE_DIRECTORY })
}

/**
 * The workspace on disk and the tree that mirrors it. One task at a time looks at the disk, changes it, changes the tree and counts
 * the clock. Comparing the disk with the tree finds nothing new in what the server did itself, so its own changes are announced once.
 */
export class Workspace {
  readonly root: string
  readonly #options: WorkspaceOptions
  readonly #tree = new FileTree()
  readonly #opaque = new Set<string>()
  readonly #ids: Map<string, string>
  readonly #queue = new SerialQueue()
  readonly #contentListeners = new Set<ContentListener>()
  readonly #moveListeners = new Set<() => void>()
  #watch: FolderWatch | undefined
  #clock: number
  #idChanges: IdChanges = []
  #announcement: ClockedOperation[] = []

  constructor(options: WorkspaceOptions) {
    this.root = options.root
    this.#options = options
    this.#ids = new Map(options.ids)
    this.#clock = options.clock
  }

  /** Reads the tree and begins to watch it. */
  async start(): Promise<void> {
    await mkdir(this.root, { recursive: true })
    await this.#queue.run(async () => {
      // Watching begins first: what changes during the scan is looked at again behind it.
      this.#watch = await FolderWatch.start({
        root: this.root,
        isIgnored: (path) => isUnwatched(this.root, path),
        onEvents: (events) => void this.#follow(events),
        log: this.#options.log,
      })
      await this.#scan('')
      this.#announcement = []
      await this.#settle()
    })
  }

  async stop(): Promise<void> {
    await this.#watch?.close()
    await this.#queue.idle()
  }

  /** Paths of files whose content may have changed, for whoever keeps something of it. The answer ends it. */
  onContent(listener: ContentListener): () => void {
    this.#contentListeners.add(listener)
    return () => this.#contentListeners.delete(listener)
  }

  /** Called after nodes got other paths. */
  onMove(listener: () => void): void {
    this.#moveListeners.add(listener)
  }

  /** The clock goes on from here or higher. */
  renumber(clock: number): void {
    this.#clock = Math.max(this.#clock, clock)
  }

  /** Hands out the tree between two tasks: every operation up to its clock was announced before, none behind it. */
  read(answer: (tree: { treeNodes: TreeNode[]; clock: number }) => void): Promise<void> {
    return this.#queue.run(() => answer({ treeNodes: this.#tree.nodes(), clock: this.#clock }))
  }

  /** Paths of all files, relative to the workspace. */
  filePaths(): string[] {
    return this.#tree.subtree('0').flatMap(({ path, type }) => (type === NODE_FILE ? [path] : []))
  }

  isFile(id: string): boolean {
    return this.#tree.typeOf(id) === NODE_FILE
  }

  /** Absolute path of a node. */
  pathOf(id: string): string | undefined {
    const path = this.#tree.pathOf(id)
    return path === undefined ? undefined : join(this.root, path)
  }

  idAt(absolute: string): string | undefined {
    const path = this.#relative(absolute)
    return path === null ? undefined : this.#tree.idAt(path)
  }

  /** The same, also of what was made a moment ago: the disk is asked where the tree may be behind it. */
  async find(absolute: string): Promise<string | undefined> {
    if (this.idAt(absolute) === undefined && this.#placeOf(absolute) !== null) {
      await this.#queue.run(async () => {
        await this.#reconcile(absolute)
        await this.#settle()
      })
    }
    return this.idAt(absolute)
  }

  /** All ids that can't be derived from paths. */
  ids(): IdChanges {
    return [...this.#ids]
  }

  /** Runs one client's operation. Resolves with its clock, or null when the tree has moved on and it is ignored. */
  operate(operation: TreeOperation, author: string): Promise<number | null> {
    return this.#queue.run(async () => {
      const done = this.#accepts(operation) && (await this.#change(operation))
      const clock = done ? this.#apply(operation, author) : null
      // A folder may have become a closed one, or have ceased to be one, by its new name.
      if (done && operation.type === 'move') await this.#reconcile(this.pathOf(operation.id)!)
      await this.#settle()
      return clock
    })
  }

  /** Renames on disk; a node that stays inside the tree keeps its id. */
  rename(from: string, to: string): Promise<void> {
    return this.#queue.run(async () => {
      await rename(from, to)
      await this.#syncFolders(dirname(from), dirname(to))
      const id = this.idAt(from)
      const parentId = this.idAt(dirname(to))
      const replaced = this.idAt(to)
      if (id !== undefined && parentId !== undefined && !this.#opaque.has(parentId) && id !== replaced) {
        if (replaced !== undefined) this.#apply({ type: 'delete', id: replaced })
        const move: TreeOperation = { type: 'move', id, parentId, name: basename(to) }
        if (this.#tree.accepts(move)) this.#apply(move)
      }
      await this.#reconcile(from)
      await this.#reconcile(to)
      await this.#settle()
      this.#tellContent(from, 'delete')
      this.#tellContent(to, replaced === undefined ? 'create' : 'update')
    })
  }

  /** Compares these paths with the tree, after something was done to them. Absolute. */
  touched(...paths: readonly string[]): Promise<void> {
    return this.#queue.run(async () => {
      const known = new Set(paths.filter((path) => this.idAt(path) !== undefined))
      for (const path of paths) await this.#reconcile(path)
      await this.#settle()
      for (const path of paths) {
        const isThere = this.idAt(path) !== undefined
        this.#tellContent(path, !isThere ? 'delete' : known.has(path) ? 'update' : 'create')
      }
    })
  }

  /** Gives a file that comes back the id its document still has. */
  adopt(path: string, id: string): Promise<void> {
    return this.#queue.run(async () => {
      const parentId = this.idAt(dirname(path))
      if (parentId !== undefined && !this.#opaque.has(parentId)) {
        const create: TreeOperation = {
          type: 'create',
          parentId,
          newEntry: { id, type: NODE_FILE, name: basename(path) },
        }
        if (this.#tree.accepts(create)) this.#apply(create)
      }
      await this.#reconcile(path)
      await this.#settle()
    })
  }

  #accepts(operation: TreeOperation): boolean {
    const parentId = operation.type === 'delete' ? undefined : operation.parentId
    return this.#tree.accepts(operation) && !(parentId !== undefined && this.#opaque.has(parentId))
  }

  /** Does on disk what the operation says. False when the disk says that the tree is behind; it is looked at again then. */
  async #change(operation: TreeOperation): Promise<boolean> {
    const path = operation.type === 'create' ? undefined : this.pathOf(operation.id)!
    const folder =
      operation.type === 'delete' ? undefined : (this.pathOf(operation.parentId ?? '') ?? dirname(path ?? ''))
    const name =
      operation.type === 'create' ? operation.newEntry.name : operation.type === 'move' ? operation.name : undefined
    const target = folder === undefined ? undefined : join(folder, name ?? basename(path!))
    try {
      if (operation.type === 'create') await createEntry(target!, operation.newEntry.type === NODE_DIRECTORY)
      else if (operation.type === 'delete') await rm(path!, { recursive: true })
      else if (await exists(target!)) throw Object.assign(new Error('The target exists'), { code: 'EEXIST' })
      else await rename(path!, target!)
      await this.#syncFolders(dirname(target ?? path!), dirname(path ?? target!))
      return true
    } catch (error) {
      if (!hasCode(error, 'EEXIST', 'ENOENT', 'ENOTDIR')) throw error
      for (const stale of [path, folder, target]) if (stale !== undefined) await this.#reconcile(stale)
      return false
    }
  }

  async #syncFolders(...folders: readonly string[]): Promise<void> {
    for (const folder of new Set(folders)) await syncFolder(folder)
  }

  async #follow(events: readonly FolderEvent[]): Promise<void> {
    try {
      await this.#queue.run(async () => {
        const paths = events.toSorted((a, b) => a.path.length - b.path.length)
        for (const { path, type } of paths) if (type !== 'update') await this.#reconcile(path)
        await this.#settle()
        for (const { path, type } of paths) this.#tellContent(path, type)
      })
    } catch (error) {
      this.#options.log.error('A change on disk could not be read', error)
    }
  }

  /** Makes the tree agree with the disk at one path. */
  async #reconcile(absolute: string): Promise<void> {
    const path = this.#placeOf(absolute)
    if (path !== null) await this.#update(path, await readEntry(join(this.root, path), basename(path)))
  }

  /** The topmost part of a path that the tree does not have, or all of it; null where the tree has nothing to say. Relative to the workspace. */
  #placeOf(absolute: string): string | null {
    const whole = this.#relative(absolute)
    if (whole === null || whole === '') return null
    let path = ''
    for (const name of whole.split('/')) {
      const above = this.#tree.idAt(path)
      if (above === undefined || this.#opaque.has(above)) return null
      path = path === '' ? name : `${path}/${name}`
      if (this.#tree.idAt(path) === undefined) break
    }
    return path
  }

  async #update(path: string, entry: DiskEntry | null): Promise<void> {
    const known = this.#tree.idAt(path)
    if (known !== undefined) {
      const same = entry && entry.type === this.#tree.typeOf(known) && entry.opaque === this.#opaque.has(known)
      if (same) return
      this.#apply({ type: 'delete', id: known })
    }
    if (!entry) return
    const parentId = this.#tree.idAt(path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
    if (parentId === undefined) return
    const id = this.#newId(path)
    this.#apply({ type: 'create', parentId, newEntry: { id, type: entry.type, name: entry.name } })
    if (entry.opaque) this.#opaque.add(id)
    else if (entry.type === NODE_DIRECTORY) await this.#scan(path)
  }

  /** Makes the tree agree with the disk in a folder and below it. */
  async #scan(path: string): Promise<void> {
    const entries = await readEntries(join(this.root, path))
    const names = new Set(entries.map(({ name }) => name))
    const prefix = path === '' ? '' : `${path}/`
    for (const gone of this.#tree.childNames(this.#tree.idAt(path) ?? '').filter((name) => !names.has(name))) {
      await this.#update(prefix + gone, null)
    }
    for (const entry of entries) {
      const known = this.#tree.idAt(prefix + entry.name)
      await this.#update(prefix + entry.name, entry)
      if (known !== undefined && entry.type === NODE_DIRECTORY && !entry.opaque) await this.#scan(prefix + entry.name)
    }
  }

  #newId(path: string): string {
    const known = [this.#ids.get(path), derivedId(path)].find((id) => id !== undefined && !this.#tree.has(id))
    return known ?? randomUUID()
  }

  /** Changes the tree, counts the clock and notes what to tell and which ids to remember. Returns the clock. */
  #apply(operation: TreeOperation, author: string | null = null): number {
    const before = operation.type === 'create' ? [] : this.#tree.subtree(operation.id)
    this.#tree.apply(operation)
    const after = operation.type === 'delete' ? [] : this.#tree.subtree(idOf(operation))
    for (const { path } of before) this.#noteId(path, null)
    for (const { path, id } of after) this.#noteId(path, id === derivedId(path) ? null : id)
    if (operation.type === 'create' && isClosedFolder(operation.newEntry)) this.#opaque.add(operation.newEntry.id)
    if (operation.type === 'delete') for (const { id } of before) this.#opaque.delete(id)
    this.#clock += 1
    this.#announcement.push({ operation, clock: this.#clock, author })
    return this.#clock
  }

  #noteId(path: string, id: string | null): void {
    if ((this.#ids.get(path) ?? null) === id) return
    if (id === null) this.#ids.delete(path)
    else this.#ids.set(path, id)
    this.#idChanges.push([path, id])
  }

  /** Ends a task: ids first, then the clients. */
  async #settle(): Promise<void> {
    const changes = this.#idChanges
    this.#idChanges = []
    if (changes.length > 0) {
      await this.#options.saveIds(changes).catch((error: unknown) => {
        // The files are where they are; only their ids would be others after a restart. The next task tries again.
        this.#idChanges = [...changes, ...this.#idChanges]
        this.#options.log.error('Ids of files could not be saved', error)
      })
    }
    const operations = this.#announcement
    this.#announcement = []
    if (operations.length === 0) return
    this.#options.announce(operations)
    if (operations.some(({ operation }) => operation.type === 'move')) for (const tell of this.#moveListeners) tell()
  }

  #tellContent(path: string, type: FolderEvent['type']): void {
    for (const tell of this.#contentListeners) tell(path, type)
  }

  /** The path relative to the workspace, or null for one outside of it. */
  #relative(absolute: string): string | null {
    const path = relative(this.root, absolute)
    return path === '..' || path.startsWith('../') ? null : path
  }
}

const idOf = (operation: TreeOperation): string => (operation.type === 'create' ? operation.newEntry.id : operation.id)

async function createEntry(path: string, isFolder: boolean): Promise<void> {
  if (isFolder) await mkdir(path)
  else await (await open(path, 'wx')).close()
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return false
      throw error
    },
  )
}
