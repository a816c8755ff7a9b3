import { NARROW } from '@boxyard/workbench/narrow'
import { useEffect } from 'react'
import { loadEditorParts } from './loadEditorParts.ts'
import { makePageAhead } from './pagesAhead.ts'

/**
 * Loads the editor while the person still chooses what to open, when the browser has nothing else to do, and has it make the page at `path`, the likeliest one.
 */
export function useWarmEditor(path: string | undefined): void {
  useEffect(
    () =>
      whenIdle(() => {
        loadEditorParts().catch((error: unknown) => console.warn('The editor is loaded again when it is needed', error))
      }),
    [],
  )
  useEffect(() => {
    if (path === undefined || !mayTakeMemory()) return undefined
    let stop = () => {}
    const begin = () => {
      stop()
      stop = document.visibilityState === 'visible' ? whenIdle(() => makePageAhead(path)) : () => {}
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

/** Does `work` when the browser has nothing else to do. The answer ends what it has begun, or keeps it from beginning. */
function whenIdle(work: () => (() => void) | void): () => void {
  let end: (() => void) | void
  const begin = () => {
    end = work()
  }
  let cancel: () => void
  if ('requestIdleCallback' in window) {
    const handle = window.requestIdleCallback(begin, { timeout: 5_000 })
    cancel = () => window.cancelIdleCallback(handle)
  } else {
    const timer = setTimeout(begin, 1_000)
    cancel = () => clearTimeout(timer)
  }
  return () => {
    cancel()
    end?.()
  }
}
