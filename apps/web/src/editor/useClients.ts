import type { DevServerClient } from '@boxyard/dev-server-client'
import type { Client } from '@boxyard/protocol'
import { useMemo, useSyncExternalStore } from 'react'
import { eventStore } from './eventStore.ts'

const nobody: readonly Client[] = []
const noClients = { current: () => nobody, subscribe: () => () => {} }

/** Everybody who has the project open. */
export function useClients(client: DevServerClient | null): readonly Client[] {
  const store = useMemo(
    () => (client ? eventStore(() => client.clients.all, client.clients.onDidChange) : noClients),
    [client],
  )
  return useSyncExternalStore(store.subscribe, store.current)
}
