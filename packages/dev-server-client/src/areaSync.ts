import type { Connection, SyncFailure } from './api.ts'
import type { DevServerConnection } from './devServerConnection.ts'
import { DevServerClientError } from './errors.ts'
import type { Disposable } from './event.ts'

export type ReportFailure = (failure: SyncFailure) => void

/** What every area is built on. */
export interface AreaContext {
  connection: DevServerConnection
  reportFailure: ReportFailure
}

/** Whether a request failed only because the connection did: what it was for is repeated after the reconnect. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof DevServerClientError)) return false
  return (
    error.code === 'ATTEMPTING_RECONNECT' ||
    error.code === 'CONNECTION_LOST' ||
    error.code === 'NOT_ABLE_TO_SEND' ||
    error.code === 'INSTANCE_CHANGE_REQUIRED' ||
    error.code === 'REQUIRES_OPEN_SOCKET' ||
    error.code === 'COULD_NOT_SEND' ||
    error.code === 'CHANNEL_DISPOSED'
  )
}

/**
 * Asks until there is an answer: what was under way when the connection ended is asked again, and then waits for the next connection.
 * Only for requests that may be done twice.
 */
export async function untilAnswered<T>(connection: Connection, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof DevServerClientError)) throw error
      // A socket takes nothing from before it tells that it has ended. Only then requests wait for the next one.
      if (error.code === 'COULD_NOT_SEND') await untilEndIsTold(connection)
      else if (error.code !== 'ATTEMPTING_RECONNECT' && error.code !== 'CONNECTION_LOST') throw error
    }
  }
}

async function untilEndIsTold(connection: Connection): Promise<void> {
  if (connection.state.kind !== 'CONNECTED') return
  await new Promise<void>((resolve) => {
    const listening = connection.onDidChangeState(() => {
      listening.dispose()
      resolve()
    })
  })
}

/** Reads an area's state after every join. `ready` resolves with the first success. */
export class AreaSync implements Disposable {
  readonly ready: Promise<void>
  readonly #subscription: Disposable

  constructor({ connection, reportFailure }: AreaContext, area: string, read: () => Promise<unknown>) {
    let becomeReady: () => void
    this.ready = new Promise((resolve) => (becomeReady = resolve))
    this.#subscription = connection.onDidJoin(() => {
      read().then(
        () => becomeReady(),
        (error: Error) => {
          if (!isConnectionFailure(error)) reportFailure({ area, error })
        },
      )
    })
  }

  dispose(): void {
    this.#subscription.dispose()
  }
}
