import { useEffect } from 'react'

export const unloadWarning = 'You are disconnected, are you sure you want to reload. You risk loosing changes'

/** Asks before the page goes while `isAtRisk`. Browsers show a text of their own; older ones this one. */
export function useUnloadWarning(isAtRisk: boolean): void {
  useEffect(() => {
    if (!isAtRisk) return
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      event.preventDefault()
      event.returnValue = unloadWarning
    }
    window.addEventListener('beforeunload', onBeforeUnload)
    return () => window.removeEventListener('beforeunload', onBeforeUnload)
  }, [isAtRisk])
}
