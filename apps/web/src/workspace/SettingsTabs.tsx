import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

const tabs = [
  { to: '/t/overview', name: 'Overview' },
  { to: '/t/permissions', name: 'Permissions' },
] as const

/** The pages about one workspace, side by side. */
export function SettingsTabs({ children }: { children: ReactNode }) {
  return (
    <>
      <nav aria-label="Settings of the workspace" className="mb-6 flex gap-4 overflow-x-auto border-b border-line">
        {tabs.map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            className="-mb-px border-b-2 px-1 pb-2 whitespace-nowrap no-underline"
            activeProps={{ className: 'border-accent text-text font-medium' }}
            inactiveProps={{ className: 'border-transparent text-quiet hover:text-text' }}
          >
            {name}
          </Link>
        ))}
      </nav>
      {children}
    </>
  )
}
