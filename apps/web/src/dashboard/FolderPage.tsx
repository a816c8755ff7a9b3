import { Button, EmptyState, Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Folder as FolderIcon, FolderPlus } from 'lucide-react'
import { Fragment, useState } from 'react'
import { useApp } from '../App.ts'
import { DeleteFolderDialog } from './DeleteFolderDialog.tsx'
import { FolderNameDialog } from './FolderNameDialog.tsx'
import { childrenOf, nameOf, trailOf } from './folderPaths.ts'
import { FolderTile } from './FolderTile.tsx'
import { QueryView } from './QueryView.tsx'
import { SandboxGrid } from './SandboxGrid.tsx'
import { SandboxGridSkeleton } from './SandboxGridSkeleton.tsx'
import { tileGrid } from './tileGrid.ts'
import { folderContent, folders } from './sandboxQueries.ts'
import type { Folder } from './sandboxQueries.ts'

const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const

/** The folders of a workspace and what is in them. `path` is `/` for the workspace itself. */
export function FolderPage({ workspace, path }: { workspace: string; path: string }) {
  const app = useApp()
  const all = useQuery(folders(app, workspace))
  const content = useQuery(folderContent(app, workspace, path))
  const [naming, setNaming] = useState<{ folder: Folder | null }>()
  const [deleting, setDeleting] = useState<Folder>()
  const inner = childrenOf(all.data ?? [], path)
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <nav aria-label="Folder" className="flex min-w-0 flex-1 flex-wrap items-center gap-1 text-quiet">
          {trailOf(path).map((step, index, trail) => (
            <Fragment key={step}>
              {index > 0 && <span aria-hidden>/</span>}
              <Link
                to="/dashboard/sandboxes/$"
                params={{ _splat: step.slice(1) }}
                className="rounded-control px-1 text-text no-underline hover:bg-hover"
                {...(index === trail.length - 1 ? { 'aria-current': 'page' as const } : {})}
              >
                {step === '/' ? 'All sandboxes' : nameOf(step)}
              </Link>
            </Fragment>
          ))}
        </nav>
        <Button onClick={() => setNaming({ folder: null })}>
          <FolderPlus {...icon} />
          New folder
        </Button>
      </div>
      {all.isPending && <Skeleton className="mb-3 h-12" />}
      {all.isError && <p className="mb-3 text-danger">The folders could not be loaded: {all.error.message}</p>}
      {inner.length > 0 && (
        <ul aria-label="Folders" className={`${tileGrid} mb-4 list-none p-0`}>
          {inner.map((folder) => (
            <FolderTile
              key={folder.path}
              folder={folder}
              onRename={() => setNaming({ folder })}
              onDelete={() => setDeleting(folder)}
            />
          ))}
        </ul>
      )}
      <QueryView query={content} what="This folder" skeleton={<SandboxGridSkeleton />}>
        {(cards) =>
          cards.length === 0 && inner.length === 0 ? (
            <EmptyState icon={<FolderIcon aria-hidden size={28} strokeWidth={1.5} />} title="Nothing in here yet">
              Move sandboxes here from your drafts: what is in a folder is seen by everybody in the workspace.
            </EmptyState>
          ) : (
            <SandboxGrid cards={cards} now={new Date(content.dataUpdatedAt)} />
          )
        }
      </QueryView>
      {naming && (
        <FolderNameDialog
          workspace={workspace}
          parent={path}
          folder={naming.folder}
          siblings={inner}
          onClose={() => setNaming(undefined)}
        />
      )}
      {deleting && (
        <DeleteFolderDialog workspace={workspace} folder={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </>
  )
}
