import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { titleOf } from '../api/queries.ts'
import type { SandboxCard } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { MIGRATED } from '../conversion/convertedNotice.ts'
import { ConvertDialog } from '../conversion/ConvertDialog.tsx'
import { copyLink } from '../copyLink.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { exportSandbox } from '../exportSandbox.ts'
import { MoveDialog } from './MoveDialog.tsx'
import { PrivacyDialog } from './PrivacyDialog.tsx'
import { RenameDialog } from './RenameDialog.tsx'
import type { SandboxAction } from './sandboxAction.ts'
import { moveSandboxes, setFrozen, setTemplates } from './sandboxCommands.ts'
import { SandboxMenu } from './SandboxMenu.tsx'
import { SandboxTile } from './SandboxTile.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { tileGrid } from './tileGrid.ts'

/** Sandboxes as tiles, one or many of which can be selected and acted on. */
export function SandboxGrid({ cards, now }: { cards: readonly SandboxCard[]; now: Date }) {
  const app = useApp()
  const navigate = useNavigate()
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<{ action: SandboxAction; cards: readonly SandboxCard[] }>()
  // What has left the list is not acted on any more.
  const selected = cards.filter(({ id }) => selectedIds.has(id))

  const act = useMutation({
    mutationFn: async ({ action, cards: chosen }: { action: SandboxAction; cards: readonly SandboxCard[] }) => {
      const ids = chosen.map(({ id }) => id)
      if (action === 'freeze' || action === 'unfreeze') await setFrozen(app, ids, action === 'freeze')
      if (action === 'makeTemplate' || action === 'unmakeTemplate') {
        await setTemplates(app, ids, action === 'makeTemplate')
      }
      if (action === 'restore') await restore(chosen)
      if (action === 'export') for (const card of chosen) await exportSandbox(app, card)
    },
    onSuccess: () => setSelectedIds(new Set()),
    onError: (error) =>
      app.notices.add({ uniqueName: 'sandbox-action', tone: 'error', title: 'That did not work', body: error.message }),
  })

  /** Restored things come back as drafts of their workspace, from where they can be filed again. */
  async function restore(chosen: readonly SandboxCard[]): Promise<void> {
    for (const teamId of new Set(chosen.flatMap((card) => card.teamId ?? []))) {
      const ids = chosen.filter((card) => card.teamId === teamId).map(({ id }) => id)
      await moveSandboxes(app, ids, { teamId, path: null })
    }
  }

  const perform = (action: SandboxAction, chosen: readonly SandboxCard[]) => {
    if (action === 'copyLink') copyLinks(chosen)
    else if (['rename', 'move', 'privacy', 'convert', 'delete', 'deleteForever'].includes(action)) {
      setDialog({ action, cards: chosen })
    } else act.mutate({ action, cards: chosen })
  }

  const copyLinks = (chosen: readonly SandboxCard[]) => {
    const links = chosen.map((card) => `${window.location.origin}/${card.isV2 ? 'devbox' : 'sandbox'}/${card.id}`)
    copyLink(app.notices, links.join('\n'))
  }

  const close = () => setDialog(undefined)
  const first = dialog?.cards[0]
  return (
    <>
      {selected.length > 0 && (
        <SelectionBar
          cards={selected}
          busy={act.isPending}
          onAction={(action) => perform(action, selected)}
          onClear={() => setSelectedIds(new Set())}
        />
      )}
      <div className={tileGrid}>
        {cards.map((card) => (
          <SandboxTile
            key={card.id}
            card={card}
            now={now}
            selected={selectedIds.has(card.id)}
            onSelectedChange={(isSelected) =>
              setSelectedIds((before) => {
                const after = new Set(before)
                if (isSelected) after.add(card.id)
                else after.delete(card.id)
                return after
              })
            }
            menu={<SandboxMenu card={card} onAction={(action) => perform(action, [card])} />}
          />
        ))}
      </div>
      {dialog?.action === 'rename' && first && <RenameDialog card={first} onClose={close} />}
      {dialog?.action === 'move' && <MoveDialog cards={dialog.cards} onClose={close} />}
      {dialog?.action === 'privacy' && <PrivacyDialog cards={dialog.cards} onClose={close} />}
      {dialog?.action === 'convert' && first && (
        <ConvertDialog
          id={first.id}
          title={titleOf(first)}
          onConverted={() => {
            close()
            void navigate({ to: '/devbox/$', params: { _splat: first.id }, search: { [MIGRATED]: 'sandbox' } })
          }}
          onClose={close}
        />
      )}
      {(dialog?.action === 'delete' || dialog?.action === 'deleteForever') && (
        <DeleteDialog cards={dialog.cards} forever={dialog.action === 'deleteForever'} onClose={close} />
      )}
    </>
  )
}

/** How one or several sandboxes are called in a sentence. */
export const nameOfAll = (cards: readonly SandboxCard[]): string =>
  cards.length === 1 && cards[0] ? titleOf(cards[0]) : `${cards.length} sandboxes`
