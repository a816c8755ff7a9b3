import { EmptyState } from '@boxyard/ui'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ShellPage, shellRoute } from '../shell/shellRoute.tsx'

const MachinesPage = lazyRouteComponent(() => import('./MachinesPage.tsx'), 'MachinesPage')
const MailsPage = lazyRouteComponent(() => import('./MailsPage.tsx'), 'MailsPage')

const getParentRoute = () => shellRoute

const machines = createRoute({
  getParentRoute,
  path: '/admin/machines',
  component: () => (
    <AdministrationPage title="Machines">
      <MachinesPage />
    </AdministrationPage>
  ),
})
const mails = createRoute({
  getParentRoute,
  path: '/admin/mails',
  component: () => (
    <AdministrationPage title="Mails that wait">
      <MailsPage />
    </AdministrationPage>
  ),
})

function AdministrationPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <ShellPage title={title}>
      {(user) =>
        user.role === 'admin' ? (
          children
        ) : (
          <EmptyState title="For administrators of this server">
            This page is about everybody here. Your own work is under “Recent”.
          </EmptyState>
        )
      }
    </ShellPage>
  )
}

/** The pages for administrators of the installation. */
export const administrationRoutes = [machines, mails] as const
