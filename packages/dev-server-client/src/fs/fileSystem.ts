import type { Result, SearchResult, StreamingSearchResult } from '@boxyard/protocol'
import type { DirectoryEntry, FileStat, FileSystemArea, SearchOptions, StreamingSearch, WatchEvent } from '../api.ts'
import type { AreaContext } from '../areaSync.ts'
import type { DevServerConnection } from '../devServerConnection.ts'
import type { Disposable } from '../event.ts'
import { startStreamingSearch } from './streamingSearch.ts'
import { SyncedTree } from './syncedTree.ts'
import { Watches } from './watches.ts'

/** Raw file calls, search and the synchronised tree. */
export class FileSystem implements FileSystemArea {
  readonly #connection: DevServerConnection
  readonly #watches: Watches
  readonly tree: SyncedTree

  constructor(context: AreaContext) {
    this.#connection = context.connection
    this.tree = new SyncedTree(context)
    this.#watches = new Watches(context)
  }

  async readFile(path: string): Promise<Uint8Array> {
    return (await this.#connection.request('fs/readFile', { path })).content
  }

  async writeFile(
    path: string,
    content: Uint8Array,
    { create, overwrite }: { create: boolean; overwrite: boolean },
  ): Promise<void> {
    await this.#connection.request('fs/writeFile', {
      path,
      content: content as Uint8Array<ArrayBuffer>,
      create,
      overwrite,
    })
  }

  async readdir(path: string): Promise<DirectoryEntry[]> {
    return (await this.#connection.request('fs/readdir', { path })).entries
  }

  stat(path: string): Promise<FileStat> {
    return this.#connection.request('fs/stat', { path })
  }

  async mkdir(path: string, options: { recursive?: boolean } = {}): Promise<void> {
    await this.#connection.request('fs/mkdir', { path, ...options })
  }

  async rename(from: string, to: string, options: { overwrite?: boolean } = {}): Promise<void> {
    await this.#connection.request('fs/rename', { from, to, ...options })
  }

  async copy(from: string, to: string, options: { recursive?: boolean; overwrite?: boolean } = {}): Promise<void> {
    await this.#connection.request('fs/copy', { from, to, ...options })
  }

  async remove(path: string, options: { recursive?: boolean } = {}): Promise<void> {
    await this.#connection.request('fs/remove', { path, ...options })
  }

  watch(
    path: string,
    options: { recursive?: boolean; excludes?: string[] },
    listener: (events: WatchEvent[]) => void,
  ): Promise<Disposable> {
    return this.#watches.watch(path, options, listener)
  }

  search(options: SearchOptions): Promise<SearchResult[]> {
    return this.#connection.request('fs/search', options)
  }

  streamingSearch(
    options: SearchOptions & { maxResults?: number },
    onMatches: (matches: StreamingSearchResult[]) => void,
  ): StreamingSearch {
    return startStreamingSearch(this.#connection, options, onMatches)
  }

  async pathSearch(text: string): Promise<Result<'fs/pathSearch'>['matches']> {
    return (await this.#connection.request('fs/pathSearch', { text })).matches
  }

  async upload(parentId: string, filename: string, content: Uint8Array): Promise<string> {
    const params = { parentId, filename, content: content as Uint8Array<ArrayBuffer> }
    return (await this.#connection.request('fs/upload', params)).fileId
  }
}
