import { useEffect } from 'react'
import { loadEditorParts } from './loadEditorParts.ts'

/** Loads the editor while the person still chooses what to open, when the browser has nothing else to do. */
export function useWarmEditor(): void {
  useEffect(() => {
    const warm = () => {
      loadEditorParts().catch((error: unknown) => console.warn('The editor is loaded again when it is needed', error))
    }
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(warm, 1_000)
      return () => clearTimeout(timer)
    }
    const handle = window.requestIdleCallback(warm, { timeout: 5_000 })
    return () => window.cancelIdleCallback(handle)
  }, [])
}
