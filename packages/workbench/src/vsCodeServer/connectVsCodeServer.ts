import type { Connection } from '@boxyard/dev-server-client'
import { nameFilesForServer } from '../files/boxUri.ts'
import type { VsCodeServerPlace, VsCodeServerStart } from './vsCodeServerPlace.ts'

export type RunningVsCodeServer = Extract<VsCodeServerStart, { result: 'running' }>

export interface ConnectedVsCodeServer {
  /** Undefined: the editor is in the browser alone. */
  server: RunningVsCodeServer | undefined
  /** Why it is, where the person wanted the server. */
  failure: string | undefined
}

/**
 * Has the VS Code server of the box ready where the person wants it. To be called before anything of the workbench is there: what the editor is
 * connected to is decided once a page. Whatever goes wrong, the editor opens.
 */
export async function connectVsCodeServer(
  place: VsCodeServerPlace | undefined,
  connection: Pick<Connection, 'joined' | 'onDidJoin'>,
): Promise<ConnectedVsCodeServer> {
  if (!place?.isWanted()) return { server: undefined, failure: undefined }
  if (!connection.joined) {
    await new Promise<void>((resolve) => {
      const waiting = connection.onDidJoin(() => {
        waiting.dispose()
        resolve()
      })
    })
  }
  const start = await startVsCodeServer(place)
  if (start.result !== 'running') return { server: undefined, failure: failureText(start) }
  nameFilesForServer()
  return { server: start, failure: undefined }
}

/** A failure of the call is one of the start. */
export function startVsCodeServer(place: VsCodeServerPlace): Promise<VsCodeServerStart> {
  return place.start().catch((error: unknown) => ({
    result: 'error',
    error: error instanceof Error ? error.message : String(error),
  }))
}

export function failureText(start: Exclude<VsCodeServerStart, { result: 'running' }>): string {
  if (start.result === 'cancelled')
    return "Skipped VS Code Server initialization, we've opened VS Code in web-only, so only server extensions work."
  const error = start.error.replace(/\.$/, '')
  return `Failed to initialize VS Code Server: ${error}. We've opened VS Code in web-only in the meantime.`
}
