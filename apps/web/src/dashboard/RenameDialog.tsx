import { Button, Dialog, Input } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { titleOf } from '../api/queries.ts'
import type { SandboxCard } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { renameSandbox } from './sandboxCommands.ts'

export function RenameDialog({ card, onClose }: { card: SandboxCard; onClose: () => void }) {
  const app = useApp()
  const [title, setTitle] = useState(titleOf(card))
  const rename = useMutation({ mutationFn: () => renameSandbox(app, card.id, title.trim()), onSuccess: onClose })
  return (
    <Dialog open width="sm" title="Rename" onOpenChange={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate()
        }}
      >
        <Input
          label="Name"
          value={title}
          autoFocus
          maxLength={100}
          variant={rename.isError ? 'error' : 'base'}
          hint={rename.error?.message}
          onChange={(event) => setTitle(event.target.value)}
          onFocus={(event) => event.target.select()}
        />
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" loading={rename.isPending} disabled={title.trim() === ''}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
