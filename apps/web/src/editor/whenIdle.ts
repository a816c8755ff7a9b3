/**
 * Does `work` when the browser has nothing else to do, after `patience` milliseconds even so; browsers that do not tell get a fifth of that. The answer ends what it has
 * begun, or keeps it from beginning.
 */
export function whenIdle(patience: number, work: () => (() => void) | void): () => void {
  let end: (() => void) | void
  const begin = () => {
    end = work()
  }
  let cancel: () => void
  if ('requestIdleCallback' in window) {
    const handle = window.requestIdleCallback(begin, { timeout: patience })
    cancel = () => window.cancelIdleCallback(handle)
  } else {
    const timer = setTimeout(begin, patience / 5)
    cancel = () => clearTimeout(timer)
  }
  return () => {
    cancel()
    end?.()
  }
}
