import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

/** Fills the body of a view with what is fetched when somebody looks at it first. */
export function reactView(
  container: HTMLElement,
  load: () => Promise<ReactNode>,
  onError: (error: unknown) => void,
): { dispose(): void } {
  const root = createRoot(container)
  let isGone = false
  load().then((body) => {
    if (!isGone) root.render(body)
  }, onError)
  // React forbids unmounting a root while it renders, which is when the workbench may take the view down.
  return {
    dispose: () => {
      isGone = true
      queueMicrotask(() => root.unmount())
    },
  }
}
