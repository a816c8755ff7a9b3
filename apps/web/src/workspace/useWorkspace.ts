import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { workspaces } from '../api/queries.ts'
import type { Workspace } from '../api/queries.ts'
import { useApp } from '../App.ts'

/**
 * The workspace that the page is about: the one the address names, else the one chosen last in this browser, else the primary one.
 * Undefined while the workspaces load.
 */
export function useWorkspace(): Workspace | undefined {
  const app = useApp()
  const mine = useQuery(workspaces(app))
  const { workspace: named } = useSearch({ strict: false }) as { workspace?: string }
  const chosen = useSyncExternalStore(app.workspace.subscribe, app.workspace.current)
  const byId = (id: string | null | undefined) => mine.data?.find((workspace) => workspace.id === id)
  const current = byId(named) ?? byId(chosen) ?? mine.data?.[0]
  const isNamed = current !== undefined && current.id === named
  useEffect(() => {
    if (isNamed) app.workspace.choose(current.id)
  }, [app, current, isNamed])
  return current
}
