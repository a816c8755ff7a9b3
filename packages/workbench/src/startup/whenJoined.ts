import type { Connection } from '@boxyard/dev-server-client'

/** Resolves when the client has been connected to its box for the first time. */
export async function whenJoined(connection: Pick<Connection, 'joined' | 'onDidJoin'>): Promise<void> {
  if (connection.joined) return
  await new Promise<void>((resolve) => {
    const waiting = connection.onDidJoin(() => {
      waiting.dispose()
      resolve()
    })
  })
}
