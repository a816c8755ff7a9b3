import { nodeError } from './nodeError.ts'
import type { FileChange } from '../common/fromProcess.ts'
import type { FileChanges } from '../common/processMessages.ts'

export const PROJECT = '/nodebox'
const encoder = new TextEncoder()
const decoder = new TextDecoder()

export interface FileEntry {
  kind: 'file'
  content: string | Uint8Array
  mode: number
  ino: number
  /** Set by whoever says when it was read; else it is when it was changed. */
  atimeMs?: number
  mtimeMs: number
  ctimeMs: number
}
export interface FolderEntry {
  kind: 'folder'
  names: Set<string>
  mode: number
  ino: number
  /** Set by whoever says when it was read; else it is when it was changed. */
  atimeMs?: number
  mtimeMs: number
  ctimeMs: number
}
export type Entry = FileEntry | FolderEntry

export type FilesListener = (event: 'rename' | 'change', path: string) => void

/**
 * The files that a process sees, in its memory: reading and writing answer at once, as programs expect. What it changes in the project is
 * told to the back end, which stores it; node_modules and everything outside of the project are its own.
 */
export class ProcessFiles {
  readonly #entries = new Map<string, Entry>()
  readonly #tell: (change: FileChange) => void
  readonly #listeners = new Set<FilesListener>()
  /** Changes on their way to the back end, by path. What comes from there meanwhile is older. */
  readonly #underWay = new Map<string, number>()
  #lastIno = 0

  constructor(tell: (change: FileChange) => void) {
    this.#tell = tell
    this.#entries.set('/', this.#folder())
    for (const path of ['/tmp', PROJECT, '/home', '/usr', '/usr/bin']) this.#ensureFolder(path)
  }

  /** Puts files there without telling anybody. */
  fill(files: Iterable<readonly [path: string, content: string | Uint8Array]>): void {
    for (const [path, content] of files) this.#put(path, content)
  }

  addFolder(path: string): void {
    this.#ensureFolder(path)
  }

  /** Takes over what changed elsewhere. */
  adopt(changes: FileChanges): void {
    for (const [inside, content] of changes) {
      const path = PROJECT + inside
      if (this.#underWay.has(path)) continue
      const known = this.#entries.get(path)
      if (content === null) {
        if (known && known.kind === 'file') this.#drop(path)
        else continue
        this.#emit('rename', path)
      } else if (known?.kind === 'file') {
        if (sameContent(known.content, content)) continue
        Object.assign(known, { content, mtimeMs: Date.now() })
        this.#emit('change', path)
      } else if (!known) {
        this.#put(path, content)
        this.#emit('rename', path)
      }
    }
  }

  /** The back end has stored it. */
  stored(paths: readonly string[]): void {
    for (const path of paths) {
      const left = (this.#underWay.get(path) ?? 1) - 1
      if (left > 0) this.#underWay.set(path, left)
      else this.#underWay.delete(path)
    }
  }

  listen(listener: FilesListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  find(path: string): Entry | undefined {
    return this.#entries.get(path)
  }

  /** Where it is now; undefined when it has no name any more. */
  pathOf(entry: Entry): string | undefined {
    for (const [path, one] of this.#entries) if (one === entry) return path
    return undefined
  }

  isFile(path: string): boolean {
    return this.#entries.get(path)?.kind === 'file'
  }

  isFolder(path: string): boolean {
    return this.#entries.get(path)?.kind === 'folder'
  }

  entry(call: string, path: string): Entry {
    const entry = this.#entries.get(path)
    if (entry) return entry
    const isBelowFile = this.#entries.get(parentOf(path))?.kind === 'file'
    throw nodeError(isBelowFile ? 'ENOTDIR' : 'ENOENT', call, path)
  }

  file(call: string, path: string): FileEntry {
    const entry = this.entry(call, path)
    if (entry.kind === 'folder') throw nodeError('EISDIR', call, path)
    return entry
  }

  folder(call: string, path: string): FolderEntry {
    const entry = this.entry(call, path)
    if (entry.kind === 'file') throw nodeError('ENOTDIR', call, path)
    return entry
  }

  text(path: string): string {
    const { content } = this.file('open', path)
    return typeof content === 'string' ? content : decoder.decode(content)
  }

  bytes(path: string): Uint8Array {
    const { content } = this.file('open', path)
    return typeof content === 'string' ? encoder.encode(content) : content
  }

  write(path: string, content: string | Uint8Array): void {
    const known = this.#entries.get(path)
    if (known?.kind === 'folder') throw nodeError('EISDIR', 'open', path)
    if (!known) {
      if (this.entry('open', parentOf(path)).kind === 'file') throw nodeError('ENOTDIR', 'open', path)
      this.#put(path, content)
    } else {
      Object.assign(known, { content, mtimeMs: Date.now() })
    }
    this.#change({ kind: 'write', path, content })
    this.#emit(known ? 'change' : 'rename', path)
  }

  /** `isRecursive`: makes what stands above too, and takes a folder that is there already. */
  mkdir(path: string, isRecursive: boolean): void {
    const known = this.#entries.get(path)
    if (known) {
      if (isRecursive && known.kind === 'folder') return
      throw nodeError('EEXIST', 'mkdir', path)
    }
    const above = parentOf(path)
    if (isRecursive && !this.#entries.has(above)) this.mkdir(above, true)
    this.folder('mkdir', above)
    this.#ensureFolder(path)
    this.#change({ kind: 'mkdir', path })
    this.#emit('rename', path)
  }

  unlink(path: string): void {
    if (this.entry('unlink', path).kind === 'folder') throw nodeError('EPERM', 'unlink', path)
    this.#remove(path)
  }

  rmdir(path: string): void {
    if (this.folder('rmdir', path).names.size > 0) throw nodeError('ENOTEMPTY', 'rmdir', path)
    this.#remove(path)
  }

  /** With everything that is in it. */
  removeAll(path: string): void {
    this.entry('rm', path)
    this.#remove(path)
  }

  #remove(path: string): void {
    if (path === '/' || path === PROJECT) throw nodeError('EPERM', 'rm', path)
    this.#drop(path)
    this.#change({ kind: 'remove', path })
    this.#emit('rename', path)
  }

  rename(from: string, to: string): void {
    const entry = this.entry('rename', from)
    this.folder('rename', parentOf(to))
    if (from === to) return
    if (`${to}/`.startsWith(`${from}/`)) throw nodeError('EINVAL', 'rename', from)
    const taken = this.#entries.get(to)
    if (taken?.kind === 'folder' && entry.kind === 'file') throw nodeError('EISDIR', 'rename', to)
    if (taken?.kind === 'folder' && taken.names.size > 0) throw nodeError('ENOTEMPTY', 'rename', to)
    if (taken) this.#drop(to)
    for (const [path, moved] of this.#entries) {
      if (path !== from && !path.startsWith(`${from}/`)) continue
      this.#entries.delete(path)
      this.#entries.set(to + path.slice(from.length), moved)
    }
    this.#namesOf(from)?.delete(nameOf(from))
    this.#namesOf(to)?.add(nameOf(to))
    this.#change({ kind: 'rename', from, to })
    this.#emit('rename', from)
    this.#emit('rename', to)
  }

  #put(path: string, content: string | Uint8Array): void {
    this.#ensureFolder(parentOf(path))
    this.#namesOf(path)!.add(nameOf(path))
    const now = Date.now()
    this.#entries.set(path, { kind: 'file', content, mode: 0o644, ino: ++this.#lastIno, mtimeMs: now, ctimeMs: now })
  }

  #folder(): FolderEntry {
    const now = Date.now()
    return { kind: 'folder', names: new Set(), mode: 0o755, ino: ++this.#lastIno, mtimeMs: now, ctimeMs: now }
  }

  #ensureFolder(path: string): void {
    if (this.#entries.has(path)) return
    this.#ensureFolder(parentOf(path))
    this.#entries.set(path, this.#folder())
    this.#namesOf(path)!.add(nameOf(path))
  }

  #drop(path: string): void {
    for (const one of this.#entries.keys()) if (one === path || one.startsWith(`${path}/`)) this.#entries.delete(one)
    this.#namesOf(path)?.delete(nameOf(path))
  }

  #namesOf(path: string): Set<string> | undefined {
    const above = this.#entries.get(parentOf(path))
    return above?.kind === 'folder' ? above.names : undefined
  }

  #change(change: FileChange): void {
    const paths = change.kind === 'rename' ? [change.from, change.to] : [change.path]
    if (!paths.some(isStored)) return
    for (const path of paths) this.#underWay.set(path, (this.#underWay.get(path) ?? 0) + 1)
    this.#tell(change)
  }

  #emit(event: 'rename' | 'change', path: string): void {
    for (const listener of this.#listeners) listener(event, path)
  }
}

/** Whether a path belongs to the project; the rest lives as long as the process. */
export function isStored(path: string): boolean {
  if (!path.startsWith(`${PROJECT}/`)) return false
  return path !== `${PROJECT}/node_modules` && !path.startsWith(`${PROJECT}/node_modules/`)
}

function sameContent(a: string | Uint8Array, b: string | Uint8Array): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
