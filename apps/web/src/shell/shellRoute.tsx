import { createRoute, retainSearchParams } from '@tanstack/react-router'
import { z } from 'zod'
import type { ReactNode } from 'react'
import type { CurrentUser } from '../api/schemas.ts'
import { SandboxGridSkeleton } from '../dashboard/SandboxGridSkeleton.tsx'
import { root } from '../routes/root.ts'
import { useWorkspace } from '../workspace/useWorkspace.ts'
import { RequireSession } from './RequireSession.tsx'
import { Shell } from './Shell.tsx'

const shellSearch = z.object({
  /** The workspace that the pages are about; it stays in the address from page to page, so that a copied address leads to the same place. */
  workspace: z.string().optional().catch(undefined),
})

/** The parent of all pages with the side bar. */
export const shellRoute = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  validateSearch: shellSearch,
  search: { middlewares: [retainSearchParams(['workspace'])] },
})

/** A page of the shell for somebody who is signed in. */
export function ShellPage({ title, children }: { title: string; children: (user: CurrentUser) => ReactNode }) {
  return (
    <RequireSession>
      {(user) => (
        <Shell title={title} user={user}>
          {children(user)}
        </Shell>
      )}
    </RequireSession>
  )
}

/** A part of a page that needs to know the workspace, with a skeleton until it does. */
export function InWorkspace({ children }: { children: (workspace: string) => ReactNode }) {
  const workspace = useWorkspace()
  return workspace ? children(workspace.id) : <SandboxGridSkeleton />
}
