import { Button, Dialog } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useApp } from '../App.ts'
import { convertToDevbox } from './convertToDevbox.ts'

export interface ConvertDialogProps {
  id: string
  title: string
  /** Resolves when what was typed is stored. Absent where nothing is typed. */
  whenStored?: () => Promise<void>
  onConverted: () => void
  onClose: () => void
}

/** Asks before a sandbox gets a machine, since there is no way back. */
export function ConvertDialog({ id, title, whenStored, onConverted, onClose }: ConvertDialogProps) {
  const app = useApp()
  const convert = useMutation({
    mutationFn: async () => {
      await whenStored?.()
      await convertToDevbox(app, id)
    },
    onSuccess: onConverted,
  })
  return (
    <Dialog
      open
      width="sm"
      title={`Convert ${title} to a devbox?`}
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
