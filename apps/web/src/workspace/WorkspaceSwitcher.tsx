import { Avatar, DropdownMenu, DropdownMenuItem, DropdownMenuLabel, DropdownMenuSeparator, Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus, Settings } from 'lucide-react'
import { workspaces } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { useWorkspace } from './useWorkspace.ts'

const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const

/** Says which workspace the pages are about, and changes it. */
export function WorkspaceSwitcher({ onCreate, onNavigate }: { onCreate: () => void; onNavigate?: () => void }) {
  const app = useApp()
  const navigate = useNavigate()
  const mine = useQuery(workspaces(app))
  const current = useWorkspace()
  if (!current) return <Skeleton className="h-8" />
  const go = (to: '/dashboard/recent' | '/t/overview', workspace: string) => {
    app.workspace.choose(workspace)
    onNavigate?.()
    void navigate({ to, search: { workspace } })
  }
  return (
    <DropdownMenu
      trigger={
        <button
          type="button"
          className="flex h-8 w-full cursor-pointer items-center gap-2 rounded-control px-2 text-left text-13 hover:bg-hover data-[state=open]:bg-hover pointer-coarse:h-11"
        >
          <span aria-hidden className="contents">
            <Avatar shape="block" src={current.avatarUrl} name={current.name} />
          </span>
          <span className="sr-only">Workspace: </span>
          <span className="min-w-0 flex-1 truncate">{current.name}</span>
          <ChevronsUpDown {...icon} className="text-quiet" />
        </button>
      }
    >
      <DropdownMenuLabel>Workspaces</DropdownMenuLabel>
      {(mine.data ?? []).map((workspace) => (
        <DropdownMenuItem
          key={workspace.id}
          icon={workspace.id === current.id ? <Check {...icon} /> : <span />}
          onSelect={() => go('/dashboard/recent', workspace.id)}
        >
          {workspace.name}
        </DropdownMenuItem>
      ))}
      <DropdownMenuSeparator />
      <DropdownMenuItem icon={<Settings {...icon} />} onSelect={() => go('/t/overview', current.id)}>
        Settings of {current.name}
      </DropdownMenuItem>
      <DropdownMenuItem icon={<Plus {...icon} />} onSelect={onCreate}>
        New workspace
      </DropdownMenuItem>
    </DropdownMenu>
  )
}
