/** Milliseconds after which the work is done even though the browser is busy. */
const PATIENCE = 500

/** Resolves when the browser has drawn what is to be drawn and has nothing better to do. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: PATIENCE })
    else setTimeout(resolve)
  })
}
