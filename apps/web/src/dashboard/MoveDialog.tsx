import { Button, classNames, Dialog, Select, Skeleton } from '@boxyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { FileText, Folder as FolderIcon } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { workspaces } from '../api/queries.ts'
import type { SandboxCard } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { useWorkspace } from '../workspace/useWorkspace.ts'
import { nameOf, trailOf } from './folderPaths.ts'
import { nameOfAll } from './SandboxGrid.tsx'
import { moveSandboxes } from './sandboxCommands.ts'
import { folders } from './sandboxQueries.ts'

const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const

/** Files sandboxes in a folder, in this workspace or another one. */
export function MoveDialog({ cards, onClose }: { cards: readonly SandboxCard[]; onClose: () => void }) {
  const app = useApp()
  const current = useWorkspace()
  const mine = useQuery(workspaces(app))
  const [chosenTeam, setTeam] = useState<string>()
  const teamId = chosenTeam ?? current?.id
  const [path, setPath] = useState<string | null>('/')
  const all = useQuery({ ...folders(app, teamId ?? ''), enabled: teamId !== undefined })
  const move = useMutation({
    mutationFn: async () => {
      if (teamId === undefined) return
      await moveSandboxes(
        app,
        cards.map((card) => card.id),
        { teamId, path },
      )
    },
    onSuccess: onClose,
  })
  const row = (value: string | null, label: string, depth: number, sign: ReactNode) => (
    <button
      key={value ?? 'drafts'}
      type="button"
      role="option"
      aria-selected={path === value}
      onClick={() => setPath(value)}
      style={{ paddingLeft: 8 + depth * 16 }}
      className={classNames(
        'flex min-h-8 w-full cursor-pointer items-center gap-2 rounded-control pr-2 text-left pointer-coarse:min-h-10',
        path === value ? 'bg-hover font-medium' : 'hover:bg-hover',
      )}
    >
      {sign}
      <span className="truncate">{label}</span>
    </button>
  )
  const sorted = (all.data ?? [])
    .filter((folder) => folder.path !== '/')
    .toSorted((a, b) => a.path.localeCompare(b.path))
  return (
    <Dialog
      open
      title={`Move ${nameOfAll(cards)}`}
      onOpenChange={onClose}
      footer={
        <div className="flex flex-col gap-3">
          {move.isError && (
            <p role="alert" className="text-danger">
              Nothing was moved: {move.error.message}
            </p>
          )}
          <div className="flex justify-end gap-2">
            <Button variant="quiet" onClick={onClose}>
              Cancel
            </Button>
            <Button
              variant="primary"
              loading={move.isPending}
              disabled={teamId === undefined}
              onClick={() => move.mutate()}
            >
              Move here
            </Button>
          </div>
        </div>
      }
    >
      <div className="flex flex-col gap-3">
        {teamId && mine.data && mine.data.length > 1 && (
          <Select
            label="Workspace"
            value={teamId}
            onValueChange={(id) => {
              setTeam(id)
              setPath('/')
            }}
            options={mine.data.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        <div
          role="listbox"
          aria-label="Folders"
          className="flex max-h-72 min-h-32 flex-col overflow-y-auto rounded-menu border border-line p-1"
        >
          {row(null, 'Drafts, seen only by you', 0, <FileText {...icon} className="shrink-0 text-quiet" />)}
          {row('/', 'All sandboxes', 0, <FolderIcon {...icon} className="shrink-0 text-quiet" />)}
          {all.isPending && <Skeleton className="m-1 h-8" />}
          {sorted.map((folder) =>
            row(
              folder.path,
              nameOf(folder.path),
              trailOf(folder.path).length - 1,
              <FolderIcon {...icon} className="shrink-0 text-quiet" />,
            ),
          )}
        </div>
        {all.isError && <p className="text-danger">The folders could not be loaded: {all.error.message}</p>}
      </div>
    </Dialog>
  )
}
