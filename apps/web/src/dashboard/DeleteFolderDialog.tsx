import { Button, Dialog } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useApp } from '../App.ts'
import { nameOf } from './folderPaths.ts'
import { deleteFolder } from './sandboxCommands.ts'
import type { Folder } from './sandboxQueries.ts'

export function DeleteFolderDialog(props: { workspace: string; folder: Folder; onClose: () => void }) {
  const { workspace, folder, onClose } = props
  const app = useApp()
  const remove = useMutation({ mutationFn: () => deleteFolder(app, workspace, folder.path), onSuccess: onClose })
  return (
    <Dialog
      open
      width="sm"
      title={`Delete ${nameOf(folder.path)}?`}
      description="The folder and the folders in it go. The sandboxes in them move to the trash, from where they can be restored for 30 days."
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
          Delete
        </Button>
      </div>
    </Dialog>
  )
}
