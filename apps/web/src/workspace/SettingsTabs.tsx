import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from './useWorkspace.ts'

const look = '-mb-px border-b-2 px-1 pb-2 whitespace-nowrap no-underline'
const active = { className: 'border-accent text-text font-medium' }
const inactive = { className: 'border-transparent text-quiet hover:text-text' }

const tabs = [
  { to: '/t/overview', name: 'Overview' },
  { to: '/t/permissions', name: 'Permissions' },
] as const

/** The pages about one workspace, side by side. */
export function SettingsTabs({ children }: { children: ReactNode }) {
  const workspace = useWorkspace()
  return (
    <>
      <nav aria-label="Settings of the workspace" className="mb-6 flex gap-4 overflow-x-auto border-b border-line">
        {tabs.map(({ to, name }) => (
          <Link key={to} to={to} className={look} activeProps={active} inactiveProps={inactive}>
            {name}
          </Link>
        ))}
        {workspace && (
          <Link
            to="/t/$teamId/sso"
            params={{ teamId: workspace.id }}
            className={look}
            activeProps={active}
            inactiveProps={inactive}
          >
            Single sign-on
          </Link>
        )}
      </nav>
      {children}
    </>
  )
}
