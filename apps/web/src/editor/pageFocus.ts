import type { Event } from '@boxyard/dev-server-client'

/** Whether the page is in sight. A page beside another window is, also without the keyboard. */
export const isPageFocused = (): boolean => document.visibilityState === 'visible'

/** The page comes back into sight, gets the keyboard, or the network comes back while it is in sight. */
export const onDidFocusPage: Event<void> = (listener) => {
  const onFocus = () => {
    if (isPageFocused()) listener()
  }
  const stop = new AbortController()
  const { signal } = stop
  document.addEventListener('visibilitychange', onFocus, { signal })
  window.addEventListener('focus', onFocus, { signal })
  window.addEventListener('online', onFocus, { signal })
  return { dispose: () => stop.abort() }
}
