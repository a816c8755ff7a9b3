import { whenIdle } from './whenIdle.ts'

const PATIENCE_MS = 10_000

/** Lets the browser keep the editor for later visits, once this visit has what it needs. */
export function keepEditor(): void {
  // Only built files have names that never change their content, and only safe origins have service workers.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  whenIdle(PATIENCE_MS, () => {
    keep().catch((error: unknown) => console.warn('The editor is not kept for the next visit', error))
  })
}

async function keep(): Promise<void> {
  await navigator.serviceWorker.register('/editor-cache.js')
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage('keep', [])
}
