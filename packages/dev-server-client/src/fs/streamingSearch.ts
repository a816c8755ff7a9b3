import type { StreamingSearchResult } from '@boxyard/protocol'
import type { SearchOptions, StreamingSearch } from '../api.ts'
import type { DevServerConnection } from '../devServerConnection.ts'
import { DevServerClientError } from '../errors.ts'
import type { Disposable } from '../event.ts'

/** Starts a search whose matches arrive as they are found. The id is made here, so no match can come before it is known. */
export function startStreamingSearch(
  connection: DevServerConnection,
  options: SearchOptions & { maxResults?: number },
  onMatches: (matches: StreamingSearchResult[]) => void,
): StreamingSearch {
  const searchId = crypto.randomUUID()
  const subscriptions: Disposable[] = []
  let hasStarted = false
  let settle: { resolve(outcome: { hitLimit: boolean }): void; reject(error: Error): void } | undefined
  const done = new Promise<{ hitLimit: boolean }>((resolve, reject) => (settle = { resolve, reject }))
  const take = () => {
    const open = settle
    settle = undefined
    for (const subscription of subscriptions.splice(0)) subscription.dispose()
    return open
  }
  subscriptions.push(
    connection.onNotification('fs/searchMatches', (found) => {
      if (found.searchId === searchId && Array.isArray(found.matches)) onMatches(found.matches)
    }),
    connection.onNotification('fs/searchFinished', (finished) => {
      if (finished.searchId === searchId) take()?.resolve({ hitLimit: finished.hitLimit })
    }),
    connection.onDidChangeState(({ kind }) => {
      if (hasStarted && kind !== 'CONNECTED') take()?.reject(new DevServerClientError('SEARCH_INTERRUPTED'))
    }),
  )
  connection
    .request('fs/streamingSearch', { ...options, searchId }, { onResult: () => (hasStarted = true) })
    .catch((error: Error) => take()?.reject(error))
  return {
    done,
    dispose() {
      const open = take()
      if (!open) return
      open.resolve({ hitLimit: false })
      if (connection.state.kind !== 'CONNECTED') return
      // Nobody waits for matches any more, whatever becomes of the cancellation.
      connection.request('fs/cancelStreamingSearch', { searchId }).catch(() => undefined)
    },
  }
}
