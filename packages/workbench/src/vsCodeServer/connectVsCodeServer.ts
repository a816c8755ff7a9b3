import type { Connection } from '@boxyard/dev-server-client'
import { nameFilesForServer } from '../files/boxUri.ts'
import { whenJoined } from '../startup/whenJoined.ts'
import { startVsCodeServer } from './startVsCodeServer.ts'
import type { PendingServerStart, VsCodeServerPlace, VsCodeServerStart } from './vsCodeServerPlace.ts'

/** How long an editor that opens waits for the server, in milliseconds. */
export const START_LIMIT_MS = 90_000

export type RunningVsCodeServer = Extract<VsCodeServerStart, { result: 'running' }>

export interface ConnectedVsCodeServer {
  /** Undefined: the editor is in the browser alone. */
  server: RunningVsCodeServer | undefined
  /** Why it is, where the person wanted the server. */
  failure: string | undefined
}

export interface ServerWait {
  /** The editor waits for a start, or null: no longer. */
  onStart?: ((start: PendingServerStart | null) => void) | undefined
  timers?: Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>
}

/**
 * Has the VS Code server of the box ready where the person wants it. To be called before anything of the workbench is there: what the editor is
 * connected to is decided once a page. Whatever goes wrong, the editor opens, and no later than the person wants.
 */
export async function connectVsCodeServer(
  place: VsCodeServerPlace | undefined,
  connection: Pick<Connection, 'joined' | 'onDidJoin'>,
  wait: ServerWait = {},
): Promise<ConnectedVsCodeServer> {
  if (!place?.isWanted()) return { server: undefined, failure: undefined }
  if (!connection.joined) await whenJoined(connection)
  const start = await awaitStart(place, wait)
  if (start.result !== 'running') return { server: undefined, failure: failureText(start) }
  nameFilesForServer()
  return { server: start, failure: undefined }
}

function awaitStart(
  place: VsCodeServerPlace,
  { onStart, timers = globalThis }: ServerWait,
): Promise<VsCodeServerStart> {
  return new Promise<VsCodeServerStart>((resolve) => {
    const end = (start: VsCodeServerStart) => {
      timers.clearTimeout(timer)
      resolve(start)
    }
    const late = { result: 'error', error: `Timed out after ${START_LIMIT_MS}ms` } as const
    const timer = timers.setTimeout(() => end(late), START_LIMIT_MS)
    onStart?.({ skip: () => end({ result: 'cancelled' }) })
    void startVsCodeServer(place).then(end)
  }).finally(() => onStart?.(null))
}

export function failureText(start: Exclude<VsCodeServerStart, { result: 'running' }>): string {
  if (start.result === 'cancelled')
    return "Skipped VS Code Server initialization, we've opened VS Code in web-only, so only server extensions work."
  const error = start.error.replace(/\.$/, '')
  return `Failed to initialize VS Code Server: ${error}. We've opened VS Code in web-only in the meantime.`
}
