import { DropdownMenu, DropdownMenuItem, DropdownMenuSeparator, IconButton, Skeleton } from '@boxyard/ui'
import { Link } from '@tanstack/react-router'
import { Copy, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { titleOf } from '../api/queries.ts'
import type { SandboxCard } from '../api/queries.ts'
import { relativeTime } from './relativeTime.ts'
import { TemplateIcon } from './TemplateIcon.tsx'

const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const

export interface SandboxTileProps {
  card: SandboxCard
  now: Date
  /** Undefined: this person may not. */
  onRename: (() => void) | undefined
  onDelete: (() => void) | undefined
  onCopyLink: () => void
}

export function SandboxTile({ card, now, onRename, onDelete, onCopyLink }: SandboxTileProps) {
  return (
    <article className="group relative flex flex-col overflow-hidden rounded-menu border border-line bg-panel focus-within:border-line-strong hover:border-line-strong">
      <div aria-hidden className="flex aspect-video items-center justify-center border-b border-line bg-ground">
        {card.screenshotUrl ? (
          <img src={card.screenshotUrl} alt="" className="size-full object-cover" />
        ) : (
          <TemplateIcon src={card.forkedTemplate?.iconUrl} size={40} />
        )}
      </div>
      <div className="flex items-center gap-1 py-2 pr-1 pl-3">
        <div className="min-w-0 flex-1">
          {/* The whole tile is the link; the menu lies above it. */}
          <Link
            to={card.isV2 ? '/devbox/$' : '/sandbox/$'}
            params={{ _splat: card.id }}
            className="block truncate font-medium text-text no-underline after:absolute after:inset-0"
          >
            {titleOf(card)}
          </Link>
          <p className="truncate text-12 text-quiet">
            <span className="hidden wide:inline">{card.isV2 ? 'Devbox' : 'Sandbox'}, </span>opened{' '}
            <time dateTime={card.lastAccessedAt.toISOString()} title={card.lastAccessedAt.toLocaleString()}>
              {relativeTime(card.lastAccessedAt, now)}
            </time>
          </p>
        </div>
        <div className="relative">
          <DropdownMenu
            align="end"
            trigger={
              <IconButton label={`More about ${titleOf(card)}`}>
                <Ellipsis {...icon} />
              </IconButton>
            }
          >
            {onRename && (
              <DropdownMenuItem icon={<Pencil {...icon} />} onSelect={onRename}>
                Rename
              </DropdownMenuItem>
            )}
            <DropdownMenuItem icon={<Copy {...icon} />} onSelect={onCopyLink}>
              Copy link
            </DropdownMenuItem>
            {onDelete && (
              <>
                <DropdownMenuSeparator />
                <DropdownMenuItem danger icon={<Trash2 {...icon} />} onSelect={onDelete}>
                  Delete
                </DropdownMenuItem>
              </>
            )}
          </DropdownMenu>
        </div>
      </div>
    </article>
  )
}

export function SandboxTileSkeleton() {
  return (
    <div className="flex flex-col overflow-hidden rounded-menu border border-line bg-panel">
      <div className="aspect-video border-b border-line bg-ground" />
      <div className="flex flex-col gap-2 px-3 py-3">
        <Skeleton className="h-3 w-2/3" />
        <Skeleton className="h-3 w-1/3" />
      </div>
    </div>
  )
}
