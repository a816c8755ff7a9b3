import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Folder as FolderIcon, GitBranch } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApp } from '../App.ts'
import { foundPlaces } from './foundPlaces.ts'
import { trailOf } from './folderPaths.ts'
import { folders, repositories } from './sandboxQueries.ts'

const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const
const linkClass = 'min-w-0 truncate text-text'

/** The folders and repositories that a search finds beside sandboxes; nothing while there are none. */
export function FoundPlaces({ workspace, text }: { workspace: string; text: string }) {
  const app = useApp()
  const inFolders = useQuery(folders(app, workspace))
  const inRepositories = useQuery(repositories(app, workspace))
  const found = foundPlaces(text, inFolders.data ?? [], inRepositories.data ?? [])
  return (
    <>
      <Places title="Folders">
        {found.folders.map(({ path }) => (
          <li key={path} className="flex min-h-7 items-center gap-2">
            <FolderIcon {...icon} className="shrink-0 text-quiet" />
            <Link to="/dashboard/sandboxes/$" params={{ _splat: path.slice(1) }} className={linkClass}>
              {trailOf(path)
                .slice(1)
                .map((part) => part.slice(part.lastIndexOf('/') + 1))
                .join(' / ')}
            </Link>
          </li>
        ))}
      </Places>
      <Places title="Repositories">
        {found.repositories.map(({ id, owner, name }) => (
          <li key={id} className="flex min-h-7 items-center gap-2">
            <GitBranch {...icon} className="shrink-0 text-quiet" />
            <Link to="/github/$owner/$repo" params={{ owner, repo: name }} className={linkClass}>
              {owner}/{name}
            </Link>
          </li>
        ))}
      </Places>
    </>
  )
}

function Places({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <h2 className="text-14 font-semibold">{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}
