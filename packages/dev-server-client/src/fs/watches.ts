import type { WatchEvent } from '../api.ts'
import { isConnectionFailure } from '../areaSync.ts'
import type { AreaContext } from '../areaSync.ts'
import type { Disposable } from '../event.ts'

interface Watch {
  readonly path: string
  readonly options: { recursive?: boolean; excludes?: string[] }
  readonly listener: (events: WatchEvent[]) => void
  /** The id of the dev server for it; undefined while there is none. */
  watchId: string | undefined
}

/** Watches of folders and files, kept up across reconnects. */
export class Watches {
  readonly #context: AreaContext
  readonly #watches = new Set<Watch>()

  constructor(context: AreaContext) {
    this.#context = context
    const { connection } = context
    connection.onNotification('fs/watchEvent', ({ watchId, events }) => {
      for (const watch of this.#watches) if (watch.watchId === watchId) watch.listener(events)
    })
    connection.onDidChangeState(({ kind }) => {
      if (kind !== 'CONNECTED') for (const watch of this.#watches) watch.watchId = undefined
    })
    connection.onDidJoin(() => {
      for (const watch of this.#watches) this.#establishAgain(watch)
    })
  }

  async watch(path: string, options: Watch['options'], listener: Watch['listener']): Promise<Disposable> {
    const watch: Watch = { path, options, listener, watchId: undefined }
    await this.#establish(watch)
    this.#watches.add(watch)
    return { dispose: () => this.#end(watch) }
  }

  async #establish(watch: Watch): Promise<void> {
    const { path, options } = watch
    await this.#context.connection.request(
      'fs/watch',
      { path, ...options },
      {
        onResult: ({ watchId }) => {
          watch.watchId = watchId
          this.#watches.add(watch)
        },
      },
    )
  }

  #establishAgain(watch: Watch): void {
    this.#establish(watch).then(
      () => watch.listener([{ type: 'resync', paths: [watch.path] }]),
      (error: Error) => {
        if (!isConnectionFailure(error)) this.#context.reportFailure({ area: 'fs', error })
      },
    )
  }

  #end(watch: Watch): void {
    const { watchId } = watch
    if (!this.#watches.delete(watch) || watchId === undefined) return
    watch.watchId = undefined
    const { connection } = this.#context
    // A lost connection ends its watches by itself.
    if (connection.state.kind !== 'CONNECTED') return
    connection.request('fs/unwatch', { watchId }).catch((error: Error) => {
      if (!isConnectionFailure(error)) this.#context.reportFailure({ area: 'fs', error })
    })
  }
}
