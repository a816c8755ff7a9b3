import { NARROW } from '@boxyard/workbench/narrow'
import { useEffect } from 'react'
import { loadEditorParts } from './loadEditorParts.ts'
import { makePageAhead } from './pagesAhead.ts'
import { whenIdle } from './whenIdle.ts'

const PATIENCE_MS = 5_000

/**
 * Loads the editor while the person still chooses what to open, when the browser has nothing else to do, and has it make the page at `path`, the likeliest one.
 */
export function useWarmEditor(path: string | undefined): void {
  useEffect(
    () =>
      whenIdle(PATIENCE_MS, () => {
        loadEditorParts().catch((error: unknown) => console.warn('The editor is loaded again when it is needed', error))
      }),
    [],
  )
  useEffect(() => {
    if (path === undefined || !mayTakeMemory()) return undefined
    let stop = () => {}
    const begin = () => {
      stop()
      stop = document.visibilityState === 'visible' ? whenIdle(PATIENCE_MS, () => makePageAhead(path)) : () => {}
    }
    begin()
    // What a page that nobody looks at has ready grows old.
    document.addEventListener('visibilitychange', begin)
    return () => {
      document.removeEventListener('visibilitychange', begin)
      stop()
    }
  }, [path])
}

/** In small windows there is a single pane, and machines with little memory. */
function mayTakeMemory(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData !== true && !window.matchMedia(NARROW).matches
}
