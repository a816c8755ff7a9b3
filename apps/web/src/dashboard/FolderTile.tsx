import { DropdownMenu, DropdownMenuItem, DropdownMenuSeparator, IconButton } from '@boxyard/ui'
import { Link } from '@tanstack/react-router'
import { Ellipsis, Folder as FolderIcon, Pencil, Trash2 } from 'lucide-react'
import { nameOf } from './folderPaths.ts'
import type { Folder } from './sandboxQueries.ts'

const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const

export function FolderTile(props: { folder: Folder; onRename: () => void; onDelete: () => void }) {
  const { folder, onRename, onDelete } = props
  const name = nameOf(folder.path)
  return (
    <li className="relative flex items-center gap-2 rounded-menu border border-line bg-panel py-2 pr-1 pl-3 hover:border-line-strong">
      <FolderIcon {...icon} className="shrink-0 text-quiet" />
      <Link
        to="/dashboard/sandboxes/$"
        params={{ _splat: folder.path.slice(1) }}
        className="min-w-0 flex-1 truncate font-medium text-text no-underline after:absolute after:inset-0"
      >
        {name}
      </Link>
      <span className="text-12 text-quiet tabular-nums" title={`${folder.sandboxCount} sandboxes`}>
        {folder.sandboxCount}
      </span>
      <div className="relative">
        <DropdownMenu
          align="end"
          trigger={
            <IconButton label={`More about ${name}`}>
              <Ellipsis {...icon} />
            </IconButton>
          }
        >
          <DropdownMenuItem icon={<Pencil {...icon} />} onSelect={onRename}>
            Rename
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem danger icon={<Trash2 {...icon} />} onSelect={onDelete}>
            Delete
          </DropdownMenuItem>
        </DropdownMenu>
      </div>
    </li>
  )
}
