import { join } from 'node:path'
import type { SearchResult, StreamingSearchResult } from '@boxyard/protocol'
import type { Connection, Handlers } from '../area.ts'
import { searchText } from './textSearch.ts'
import type { Workspace } from './workspace.ts'

const DEFAULT_MAX_RESULTS = 10_000
/** The first match is sent at once, those behind it together. */
const BATCH_MATCHES = 200
const BATCH_MS = 16

type SearchHandlers = Pick<Handlers, 'fs/search' | 'fs/streamingSearch' | 'fs/cancelStreamingSearch'>

/** The searches of all clients. */
export class TextSearches {
  readonly #workspace: Workspace
  readonly #running = new Map<Connection, Map<string, AbortController>>()

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  readonly handlers: SearchHandlers = {
    'fs/search': async (query, connection) => {
      const results: SearchResult[] = []
      await this.#track(connection, undefined, (signal) =>
        searchText(
          this.#workspace.root,
          query,
          ({ path, ...match }) => {
            const fileId = this.#idOf(path)
            if (fileId !== undefined) results.push({ fileId, ...match })
            return results.length < DEFAULT_MAX_RESULTS
          },
          signal,
        ),
      )
      return results
    },
    'fs/streamingSearch': (query, connection) => {
      const { searchId } = query
      this.#stream(query, connection).then(
        (hitLimit) => connection.notify('fs/searchFinished', { searchId, hitLimit }),
        () => connection.notify('fs/searchFinished', { searchId, hitLimit: false }),
      )
      return { searchId }
    },
    'fs/cancelStreamingSearch': ({ searchId }, connection) => {
      this.#running.get(connection)?.get(searchId)?.abort()
      return { searchId }
    },
  }

  cancelAll(connection: Connection): void {
    for (const search of this.#running.get(connection)?.values() ?? []) search.abort()
    this.#running.delete(connection)
  }

  dispose(): void {
    for (const connection of this.#running.keys()) this.cancelAll(connection)
  }

  /** Resolves with whether there was more than was asked for. */
  async #stream(query: Parameters<SearchHandlers['fs/streamingSearch']>[0], connection: Connection): Promise<boolean> {
    const { searchId, maxResults = DEFAULT_MAX_RESULTS } = query
    let waiting: StreamingSearchResult[] = []
    let timer: NodeJS.Timeout | undefined
    let count = 0
    let hitLimit = false
    let isCancelled = (): boolean => false
    const send = (): void => {
      clearTimeout(timer)
      timer = undefined
      if (waiting.length > 0 && !isCancelled()) connection.notify('fs/searchMatches', { searchId, matches: waiting })
      waiting = []
    }
    await this.#track(connection, searchId, (signal) => {
      isCancelled = () => signal.aborted
      return searchText(
        this.#workspace.root,
        query,
        ({ path, ...match }) => {
          if (isCancelled()) return false
          if (count >= maxResults) {
            hitLimit = true
            return false
          }
          count += 1
          const fileId = this.#idOf(path)
          waiting.push({ ...(fileId !== undefined && { fileId }), filepath: path, ...match })
          if (count === 1 || waiting.length >= BATCH_MATCHES) send()
          else timer ??= setTimeout(send, BATCH_MS)
          return true
        },
        signal,
      )
    }).finally(send)
    return hitLimit
  }

  #idOf(path: string): string | undefined {
    return this.#workspace.idAt(join(this.#workspace.root, path))
  }

  async #track(
    connection: Connection,
    searchId: string | undefined,
    run: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const key = searchId ?? crypto.randomUUID()
    const searches = this.#running.get(connection) ?? new Map<string, AbortController>()
    this.#running.set(connection, searches)
    searches.get(key)?.abort()
    const controller = new AbortController()
    searches.set(key, controller)
    try {
      await run(controller.signal)
    } finally {
      if (searches.get(key) === controller) searches.delete(key)
    }
  }
}
