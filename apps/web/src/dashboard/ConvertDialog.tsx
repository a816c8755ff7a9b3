import { Button, Dialog } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { titleOf } from '../api/queries.ts'
import type { SandboxCard } from '../api/queries.ts'
import { useApp } from '../App.ts'
import { convertToDevbox } from './sandboxCommands.ts'

export function ConvertDialog({ card, onClose }: { card: SandboxCard; onClose: () => void }) {
  const app = useApp()
  const navigate = useNavigate()
  const convert = useMutation({
    mutationFn: () => convertToDevbox(app, card.id),
    onSuccess: async () => {
      onClose()
      await navigate({ to: '/devbox/$', params: { _splat: card.id } })
    },
  })
  return (
    <Dialog
      open
      width="sm"
      title={`Convert ${titleOf(card)} to a devbox?`}
      description="It gets a machine with terminals and tasks, and its files move there. Its address, its people and its history of likes stay. It can’t be turned back; fork it first to keep a sandbox that runs in the browser."
      onOpenChange={onClose}
    >
      {convert.isError && (
        <p role="alert" className="mb-3 text-danger">
          Nothing was changed: {convert.error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          Keep as it is
        </Button>
        <Button variant="primary" loading={convert.isPending} onClick={() => convert.mutate()}>
          Convert
        </Button>
      </div>
    </Dialog>
  )
}
