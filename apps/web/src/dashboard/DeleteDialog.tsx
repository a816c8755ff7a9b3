import { Button, Dialog } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import type { SandboxCard } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { nameOfAll } from './SandboxGrid.tsx'
import { deleteSandboxes, permanentlyDeleteSandboxes } from './sandboxCommands.ts'

export function DeleteDialog(props: { cards: readonly SandboxCard[]; forever: boolean; onClose: () => void }) {
  const { cards, forever, onClose } = props
  const app = useApp()
  const ids = cards.map((card) => card.id)
  const remove = useMutation({
    mutationFn: () => (forever ? permanentlyDeleteSandboxes(app, ids) : deleteSandboxes(app, ids)),
    onSuccess: onClose,
  })
  return (
    <Dialog
      open
      width="sm"
      title={forever ? `Delete ${nameOfAll(cards)} for ever?` : `Delete ${nameOfAll(cards)}?`}
      description={
        forever
          ? 'Files, history and machine are removed and can’t be brought back. Forks are not touched.'
          : 'Running machines are stopped, and everything moves to the trash, from where it can be restored for 30 days. Forks are not touched.'
      }
      onOpenChange={onClose}
    >
      {remove.isError && (
        <p role="alert" className="mb-3 text-danger">
          It was not deleted: {remove.error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          Keep
        </Button>
        <Button variant="danger" loading={remove.isPending} onClick={() => remove.mutate()}>
          {forever ? 'Delete for ever' : 'Delete'}
        </Button>
      </div>
    </Dialog>
  )
}
