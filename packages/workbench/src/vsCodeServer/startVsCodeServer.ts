import type { VsCodeServerPlace, VsCodeServerStart } from './vsCodeServerPlace.ts'

/** A failure of the call is one of the start. */
export function startVsCodeServer(place: Pick<VsCodeServerPlace, 'start'>): Promise<VsCodeServerStart> {
  return place.start().catch((error: unknown) => ({
    result: 'error',
    error: error instanceof Error ? error.message : String(error),
  }))
}
