import { Button, Dialog, Input } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../App.ts'
import { folderNameProblem, joinPath, nameOf } from './folderPaths.ts'
import { createFolder, renameFolder } from './sandboxCommands.ts'
import type { Folder } from './sandboxQueries.ts'

/** Names a new folder (`folder` is null) or another one anew. */
export function FolderNameDialog(props: {
  workspace: string
  parent: string
  folder: Folder | null
  siblings: readonly Folder[]
  onClose: () => void
}) {
  const { workspace, parent, folder, siblings, onClose } = props
  const app = useApp()
  const [name, setName] = useState(folder ? nameOf(folder.path) : '')
  const others = siblings.filter((sibling) => sibling.path !== folder?.path)
  const problem = folderNameProblem(name, others)
  const save = useMutation({
    mutationFn: async () => {
      const path = joinPath(parent, name.trim())
      if (!folder) await createFolder(app, workspace, path)
      else if (path !== folder.path) await renameFolder(app, workspace, folder.path, path)
    },
    onSuccess: onClose,
  })
  const hint = save.error?.message ?? (name === '' ? undefined : (problem ?? undefined))
  return (
    <Dialog open width="sm" title={folder ? `Rename ${nameOf(folder.path)}` : 'New folder'} onOpenChange={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!problem) save.mutate()
        }}
      >
        <Input
          label="Name"
          value={name}
          autoFocus
          maxLength={100}
          variant={hint ? 'error' : 'base'}
          hint={hint}
          onChange={(event) => setName(event.target.value)}
          onFocus={(event) => event.target.select()}
        />
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" loading={save.isPending} disabled={problem !== null}>
            {folder ? 'Rename' : 'Create'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
