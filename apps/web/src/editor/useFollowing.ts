import type { Workbench } from '@boxyard/workbench'
import { useMemo, useSyncExternalStore } from 'react'
import { eventStore } from './eventStore.ts'

const nobody = { current: () => undefined, subscribe: () => () => {} }

/** Whom this window follows, and how that is changed; null before there is an editor. */
export interface FollowChoice {
  clientId: string | undefined
  toggle: (clientId: string) => void
}

export function useFollowing(workbench: Workbench | null): FollowChoice | null {
  const store = useMemo(
    () =>
      workbench
        ? eventStore<string | undefined>(() => workbench.followedClient, workbench.onDidChangeFollowedClient)
        : nobody,
    [workbench],
  )
  const clientId = useSyncExternalStore<string | undefined>(store.subscribe, store.current)
  return useMemo(
    () => workbench && { clientId, toggle: (id: string) => workbench.toggleFollowing(id) },
    [workbench, clientId],
  )
}
