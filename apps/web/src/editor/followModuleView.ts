import { moduleView } from '@boxyard/browser-backend/module-view'

const CHECK_MS = 500

/**
 * Looks again and again whether the address of this page wants another file to run in the preview than `begun`, which it wanted at first, and
 * tells of it. Returns what ends it.
 */
export function followModuleView(begun: string | null, onChange: (path: string | null) => void): () => void {
  let shown = begun
  const timer = setInterval(() => {
    const wanted = moduleView(window.location.search)
    if (wanted === shown) return
    shown = wanted
    onChange(wanted)
  }, CHECK_MS)
  return () => clearInterval(timer)
}
