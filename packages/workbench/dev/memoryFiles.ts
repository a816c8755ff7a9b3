import { NODE_DIRECTORY, NODE_FILE, rawFsError } from '@boxyard/protocol'
import type { BoxFiles, FileEvent } from '../src/files/fileSystem.ts'

/** A box's files in memory, for the playground and the tests. */
export class MemoryFiles implements BoxFiles {
  readonly #files = new Map<string, Uint8Array>()
  readonly #directories = new Set<string>(['/'])
  readonly #watchers = new Set<(events: FileEvent[]) => void>()

  constructor(files: Record<string, string>) {
    for (const [path, text] of Object.entries(files)) {
      for (let parent = path; parent !== '/'; ) {
        parent = parent.slice(0, parent.lastIndexOf('/')) || '/'
        this.#directories.add(parent)
      }
      this.#files.set(path, new TextEncoder().encode(text))
    }
  }

  async stat(path: string) {
    const directory = this.#directories.has(path)
    if (!directory && !this.#files.has(path)) throw rawFsError(2, `${path} does not exist`)
    return {
      type: directory ? NODE_DIRECTORY : NODE_FILE,
      isSymlink: false,
      size: this.#files.get(path)?.length ?? 0,
      mtime: 0,
      ctime: 0,
    }
  }

  async readdir(path: string) {
    const prefix = path === '/' ? '/' : `${path}/`
    const direct = (name: string) => name.startsWith(prefix) && name !== path && !name.slice(prefix.length).includes('/')
    return [
      ...[...this.#directories].filter((name) => name !== '/' && direct(name)).map((name) => ({ name, type: NODE_DIRECTORY })),
      ...[...this.#files.keys()].filter(direct).map((name) => ({ name, type: NODE_FILE })),
    ].map(({ name, type }) => ({ name: name.slice(prefix.length), type, isSymlink: false }))
  }

  async readFile(path: string) {
    const content = this.#files.get(path)
    if (!content) throw rawFsError(this.#directories.has(path) ? 21 : 2, `${path} does not exist`)
    return content
  }

  async writeFile(path: string, content: Uint8Array) {
    const type = this.#files.has(path) ? 'change' : 'add'
    this.#files.set(path, content)
    this.#tell({ type, paths: [path] })
  }

  async mkdir(path: string) {
    this.#directories.add(path)
    this.#tell({ type: 'add', paths: [path] })
  }

  async remove(path: string) {
    for (const name of [...this.#files.keys()]) if (name === path || name.startsWith(`${path}/`)) this.#files.delete(name)
    for (const name of [...this.#directories]) if (name === path || name.startsWith(`${path}/`)) this.#directories.delete(name)
    this.#tell({ type: 'remove', paths: [path] })
  }

  async rename(from: string, to: string) {
    await this.copy(from, to)
    await this.remove(from)
  }

  async copy(from: string, to: string) {
    for (const [name, content] of [...this.#files]) {
      if (name === from || name.startsWith(`${from}/`)) await this.writeFile(to + name.slice(from.length), content)
    }
    for (const name of [...this.#directories]) {
      if (name === from || name.startsWith(`${from}/`)) await this.mkdir(to + name.slice(from.length))
    }
  }

  async watch(_path: string, _options: object, onEvents: (events: FileEvent[]) => void) {
    this.#watchers.add(onEvents)
    return { dispose: () => void this.#watchers.delete(onEvents) }
  }

  #tell(event: FileEvent): void {
    for (const watcher of this.#watchers) watcher([event])
  }
}
