import { EmptyState } from '@boxyard/ui'
import { createRoute } from '@tanstack/react-router'
import { ShellPage, shellRoute } from '../shell/shellRoute.tsx'
import { MachinesPage } from './MachinesPage.tsx'

const machines = createRoute({
  getParentRoute: () => shellRoute,
  path: '/dashboard/machines',
  component: () => (
    <ShellPage title="Machines">
      {(user) =>
        user.role === 'admin' ? (
          <MachinesPage />
        ) : (
          <EmptyState title="For administrators of this server">
            This page shows what runs for everybody here. Your own devboxes are under “Recent”.
          </EmptyState>
        )
      }
    </ShellPage>
  ),
})

/** The pages for administrators of the installation. */
export const administrationRoutes = [machines] as const
