import { mayDo } from '@boxyard/api'
import { Button, EmptyState, ErrorState } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Box, Plus } from 'lucide-react'
import { useState } from 'react'
import { recentLimit, recentSandboxes } from '../api/queries.ts'
import type { SandboxCard } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { useWarmEditor } from '../editor/useWarmEditor.ts'
import { roleOf } from './roleOf.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { RenameDialog } from './RenameDialog.tsx'
import { SandboxTile, SandboxTileSkeleton } from './SandboxTile.tsx'

const grid =
  'grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-3 wide:grid-cols-[repeat(auto-fill,minmax(220px,1fr))] wide:gap-4'

/** What the person worked on, the newest first. */
export function RecentPage() {
  const app = useApp()
  useWarmEditor()
  const navigate = useNavigate()
  const recent = useQuery(recentSandboxes(app))
  const [renaming, setRenaming] = useState<SandboxCard>()
  const [deleting, setDeleting] = useState<SandboxCard>()

  if (recent.isPending) {
    return (
      <div aria-busy aria-label="Loading your recent work" className={grid}>
        {Array.from({ length: 8 }, (_, index) => (
          <SandboxTileSkeleton key={index} />
        ))}
      </div>
    )
  }
  if (recent.isError) {
    return (
      <ErrorState
        title="Your recent work could not be loaded"
        safe="Your work itself is safe."
        actions={
          <Button variant="primary" loading={recent.isFetching} onClick={() => void recent.refetch()}>
            Try again
          </Button>
        }
      >
        {recent.error.message}
      </ErrorState>
    )
  }
  if (recent.data.length === 0) {
    return (
      <EmptyState
        icon={<Box aria-hidden size={28} strokeWidth={1.5} />}
        title="Nothing here yet"
        action={
          <Button
            variant="primary"
            size="large"
            onClick={() => void navigate({ to: '/dashboard/recent', search: { create: true } })}
          >
            <Plus aria-hidden size={16} strokeWidth={1.5} />
            Create a devbox
          </Button>
        }
      >
        A devbox is a project on a machine of its own, with an editor, terminals and a live preview in your browser.
        What you open is listed here, the latest first. Everything you type is saved as you type it.
      </EmptyState>
    )
  }

  const copyLink = (card: SandboxCard) => {
    const link = `${window.location.origin}/${card.isV2 ? 'devbox' : 'sandbox'}/${card.id}`
    navigator.clipboard.writeText(link).then(
      () => app.notices.add({ uniqueName: 'link', tone: 'success', title: 'Link copied', body: link, timeout: 4_000 }),
      () =>
        app.notices.add({
          uniqueName: 'link',
          tone: 'warning',
          title: 'The browser did not allow copying',
          body: link,
        }),
    )
  }
  return (
    <>
      <div className={grid}>
        {recent.data.map((card) => (
          <SandboxTile
            key={card.id}
            card={card}
            now={new Date(recent.dataUpdatedAt)}
            onRename={mayDo(roleOf(card), 'rename') ? () => setRenaming(card) : undefined}
            onDelete={mayDo(roleOf(card), 'delete') ? () => setDeleting(card) : undefined}
            onCopyLink={() => copyLink(card)}
          />
        ))}
      </div>
      {recent.data.length >= recentLimit && (
        <p className="pt-4 text-center text-quiet">
          These are the {recentLimit} latest. Open older ones by their link.
        </p>
      )}
      {renaming && <RenameDialog card={renaming} onClose={() => setRenaming(undefined)} />}
      {deleting && <DeleteDialog card={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  )
}
