import { Badge, classNames } from '@boxyard/ui'
import { Link } from '@tanstack/react-router'
import { Check, Globe, Link2, Lock, Snowflake } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { titleOf } from '../api/queries.ts'
import type { SandboxCard } from '../api/queries.ts'
import { pageAhead } from '../editor/pagesAhead.ts'
import { privacyNames } from './privacyNames.ts'
import { relativeTime } from './relativeTime.ts'
import { TemplateIcon } from './TemplateIcon.tsx'

const small = { 'aria-hidden': true, size: 12, strokeWidth: 1.5 } as const
const privacyIcons = [
  <Globe key="public" {...small} />,
  <Link2 key="unlisted" {...small} />,
  <Lock key="private" {...small} />,
]

export interface SandboxTileProps {
  card: SandboxCard
  now: Date
  selected: boolean
  onSelectedChange: (selected: boolean) => void
  /** What can be done with it. */
  menu: ReactNode
}

export function SandboxTile({ card, now, selected, onSelectedChange, menu }: SandboxTileProps) {
  const title = titleOf(card)
  const ahead = useSyncExternalStore(pageAhead.subscribe, pageAhead.current)
  return (
    <article
      aria-label={title}
      className={classNames(
        'group relative flex flex-col overflow-hidden rounded-menu border bg-panel focus-within:border-line-strong hover:border-line-strong',
        selected ? 'border-accent' : 'border-line',
      )}
    >
      <div aria-hidden className="flex aspect-video items-center justify-center border-b border-line bg-ground">
        {card.screenshotUrl ? (
          <img src={card.screenshotUrl} alt="" loading="lazy" className="size-full object-cover" />
        ) : (
          <TemplateIcon src={card.forkedTemplate?.iconUrl} size={40} />
        )}
      </div>
      <div className="flex items-center gap-1 py-2 pr-1 pl-3">
        <div className="min-w-0 flex-1">
          {/* The whole tile is the link; the menu and the box lie above it. What is in the trash can't be opened. */}
          {card.removedAt ? (
            <span className="block truncate font-medium">{title}</span>
          ) : (
            <Link
              to={card.isV2 ? '/devbox/$' : '/sandbox/$'}
              params={{ _splat: card.id }}
              // The browser has the whole page ready, in place of this one.
              reloadDocument={card.isV2 && ahead === `/devbox/${card.id}`}
              className="block truncate font-medium text-text no-underline after:absolute after:inset-0"
            >
              {title}
            </Link>
          )}
          <p className="flex items-center gap-1 truncate text-12 text-quiet">
            <span title={privacyNames[card.privacy]} role="img" aria-label={privacyNames[card.privacy]}>
              {privacyIcons[card.privacy]}
            </span>
            {card.isFrozen && (
              <span title="Frozen" role="img" aria-label="Frozen">
                <Snowflake {...small} />
              </span>
            )}
            <span className="hidden wide:inline">{card.isV2 ? 'Devbox' : 'Sandbox'}, </span>
            <span className="truncate">
              {card.removedAt ? 'deleted ' : 'opened '}
              <Moment at={card.removedAt ?? card.lastAccessedAt} now={now} />
            </span>
            {card.customTemplate && <Badge>Template</Badge>}
          </p>
        </div>
        <div className="relative">{menu}</div>
      </div>
      <button
        type="button"
        role="checkbox"
        aria-checked={selected}
        aria-label={`Select ${title}`}
        onClick={() => onSelectedChange(!selected)}
        className={classNames(
          'absolute top-2 left-2 flex size-5 cursor-pointer items-center justify-center rounded-control border pointer-coarse:size-7',
          selected
            ? 'border-accent bg-accent text-on-accent'
            : 'border-line-strong bg-raised text-quiet opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100',
        )}
      >
        {selected && <Check aria-hidden size={14} strokeWidth={2.5} />}
      </button>
    </article>
  )
}

function Moment({ at, now }: { at: Date; now: Date }) {
  return (
    <time dateTime={at.toISOString()} title={at.toLocaleString()}>
      {relativeTime(at, now)}
    </time>
  )
}
