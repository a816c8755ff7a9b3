import { mayDo } from '@boxyard/api'
import type { SandboxOperation } from '@boxyard/api'
import { Button } from '@boxyard/ui'
import type { SandboxCard } from '../api/queries.ts'
import { roleOf } from './roleOf.ts'
import type { SandboxAction } from './sandboxAction.ts'

/** What can be done with everything that is selected: only what the person may do with each of it. */
export function SelectionBar(props: {
  cards: readonly SandboxCard[]
  busy: boolean
  onAction: (action: SandboxAction) => void
  onClear: () => void
}) {
  const { cards, busy, onAction, onClear } = props
  const may = (operation: SandboxOperation) => cards.every((card) => mayDo(roleOf(card), operation))
  const inTrash = cards.every((card) => card.removedAt !== null)
  const actions: readonly [SandboxAction, string, boolean][] = inTrash
    ? [
        ['restore', 'Restore', may('delete')],
        ['deleteForever', 'Delete for ever', may('delete')],
      ]
    : [
        ['copyLink', 'Copy links', true],
        ['export', 'Export as zip', may('export')],
        ['move', 'Move', may('move')],
        ['privacy', 'Who can see them', may('changePrivacy')],
        ['delete', 'Delete', may('delete')],
      ]
  return (
    <div
      role="toolbar"
      aria-label="Selection"
      className="sticky top-14 z-10 mb-3 flex flex-wrap items-center gap-2 rounded-menu border border-line-strong bg-raised px-3 py-2"
    >
      <span aria-live="polite" className="min-w-0 flex-1 basis-32 tabular-nums">
        {cards.length} selected
      </span>
      {actions.map(
        ([action, name, allowed]) =>
          allowed && (
            <Button key={action} size="small" disabled={busy} onClick={() => onAction(action)}>
              {name}
            </Button>
          ),
      )}
      <Button size="small" variant="quiet" onClick={onClear}>
        Clear
      </Button>
    </div>
  )
}
