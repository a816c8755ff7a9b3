import { Avatar, buttonClass, classNames, Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Clock, GitBranch, Plus } from 'lucide-react'
import { workspaces } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { Mark } from './Mark.tsx'

const row = 'flex h-8 items-center gap-2 rounded-control px-2 text-13 no-underline pointer-coarse:h-11'

export function SideBar({ onNavigate }: { onNavigate?: () => void }) {
  const app = useApp()
  const mine = useQuery(workspaces(app))
  const current = mine.data?.[0]
  return (
    <div className="flex h-full flex-col gap-4 p-3">
      <Link
        to="/dashboard/recent"
        className="flex h-8 items-center gap-2 rounded-control px-2 text-14 font-semibold text-text no-underline"
        {...(onNavigate ? { onClick: onNavigate } : {})}
      >
        <Mark />
        Boxyard
      </Link>
      {mine.isPending && <Skeleton className="h-8" />}
      {current && (
        <div className={classNames(row, 'text-text')}>
          <Avatar shape="block" src={current.avatarUrl} name={current.name} />
          <span className="min-w-0 flex-1 truncate">{current.name}</span>
        </div>
      )}
      <Link
        to="/dashboard/recent"
        search={{ create: true }}
        className={buttonClass('primary')}
        {...(onNavigate ? { onClick: onNavigate } : {})}
      >
        <Plus aria-hidden size={16} strokeWidth={1.5} />
        Create
      </Link>
      <nav aria-label="Places" className="flex flex-col gap-0.5">
        <Link
          to="/dashboard/recent"
          className={row}
          activeProps={{ className: 'bg-hover text-text font-medium' }}
          inactiveProps={{ className: 'text-quiet hover:bg-hover hover:text-text' }}
          {...(onNavigate ? { onClick: onNavigate } : {})}
        >
          <Clock aria-hidden size={16} strokeWidth={1.5} />
          Recent
        </Link>
        <Link
          to="/dashboard/repositories"
          className={row}
          activeProps={{ className: 'bg-hover text-text font-medium' }}
          inactiveProps={{ className: 'text-quiet hover:bg-hover hover:text-text' }}
          {...(onNavigate ? { onClick: onNavigate } : {})}
        >
          <GitBranch aria-hidden size={16} strokeWidth={1.5} />
          Repositories
        </Link>
      </nav>
    </div>
  )
}
