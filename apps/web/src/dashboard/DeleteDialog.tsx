import { Button, Dialog } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { titleOf } from '../api/queries.ts'
import type { SandboxCard } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { deleteSandbox } from './sandboxCommands.ts'

export function DeleteDialog({ card, onClose }: { card: SandboxCard; onClose: () => void }) {
  const app = useApp()
  const remove = useMutation({ mutationFn: () => deleteSandbox(app, card.id), onSuccess: onClose })
  return (
    <Dialog
      open
      width="sm"
      title={`Delete ${titleOf(card)}?`}
      description="Its machine is stopped and it moves to the trash. Forks of it are not touched."
      onOpenChange={onClose}
    >
      {remove.isError && (
        <p role="alert" className="mb-3 text-danger">
          It was not deleted: {remove.error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button variant="danger" loading={remove.isPending} onClick={() => remove.mutate()}>
          Delete
        </Button>
      </div>
    </Dialog>
  )
}
