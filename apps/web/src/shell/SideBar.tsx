import { buttonClass } from '@boxyard/ui'
import { Link } from '@tanstack/react-router'
import { Clock, FileText, Folder, GitBranch, Heart, LayoutTemplate, Plus, Search, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { CreateWorkspaceDialog } from '../workspace/CreateWorkspaceDialog.tsx'
import { WorkspaceSwitcher } from '../workspace/WorkspaceSwitcher.tsx'
import { Mark } from './Mark.tsx'

const row = 'flex h-8 items-center gap-2 rounded-control px-2 text-13 no-underline pointer-coarse:h-11'
const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const

/** The places of the side bar, in the groups they are shown in. */
const groups = [
  [
    { to: '/dashboard/recent', name: 'Recent', icon: <Clock {...icon} /> },
    { to: '/dashboard/search', name: 'Search', icon: <Search {...icon} /> },
  ],
  [
    { to: '/dashboard/drafts', name: 'Drafts', icon: <FileText {...icon} /> },
    { to: '/dashboard/sandboxes/$', name: 'All sandboxes', icon: <Folder {...icon} />, params: { _splat: '' } },
    { to: '/dashboard/repositories', name: 'Repositories', icon: <GitBranch {...icon} /> },
    { to: '/dashboard/templates', name: 'Templates', icon: <LayoutTemplate {...icon} /> },
    { to: '/dashboard/deleted', name: 'Recently deleted', icon: <Trash2 {...icon} /> },
  ],
  [
    { to: '/dashboard/shared', name: 'Shared with me', icon: <Users {...icon} /> },
    { to: '/dashboard/liked', name: 'Likes', icon: <Heart {...icon} /> },
  ],
] as const

export function SideBar({ onNavigate }: { onNavigate?: () => void }) {
  const [creating, setCreating] = useState(false)
  const clicked = onNavigate ? { onClick: onNavigate } : {}
  return (
    <div className="flex h-full flex-col gap-4 p-3">
      <Link
        to="/dashboard/recent"
        className="flex h-8 items-center gap-2 rounded-control px-2 text-14 font-semibold text-text no-underline"
        {...clicked}
      >
        <Mark />
        Boxyard
      </Link>
      <WorkspaceSwitcher onCreate={() => setCreating(true)} {...(onNavigate ? { onNavigate } : {})} />
      <Link to="/dashboard/recent" search={{ create: true }} className={buttonClass('primary')} {...clicked}>
        <Plus {...icon} />
        Create
      </Link>
      <nav aria-label="Places" className="flex flex-col gap-4">
        {groups.map((places) => (
          <div key={places[0].to} className="flex flex-col gap-0.5">
            {places.map((place) => (
              <Link
                key={place.to}
                to={place.to}
                {...('params' in place ? { params: place.params } : {})}
                className={row}
                activeProps={{ className: 'bg-hover text-text font-medium' }}
                inactiveProps={{ className: 'text-quiet hover:bg-hover hover:text-text' }}
                {...clicked}
              >
                {place.icon}
                {place.name}
              </Link>
            ))}
          </div>
        ))}
      </nav>
      {creating && <CreateWorkspaceDialog onClose={() => setCreating(false)} />}
    </div>
  )
}
