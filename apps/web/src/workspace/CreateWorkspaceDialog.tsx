import { Button, Dialog, Input } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApp } from '../App.ts'
import { createWorkspace } from './workspaceCommands.ts'

export function CreateWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const app = useApp()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: () => createWorkspace(app, name.trim()),
    onSuccess: (id) => {
      onClose()
      app.workspace.choose(id)
      return navigate({ to: '/t/overview', search: { workspace: id } })
    },
  })
  return (
    <Dialog
      open
      width="sm"
      title="New workspace"
      description="A place for the work of a group: its people see the sandboxes, folders and repositories in it."
      dismissible={!create.isPending}
      onOpenChange={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Input
          label="Name"
          value={name}
          autoFocus
          maxLength={100}
          variant={create.isError ? 'error' : 'base'}
          hint={create.error?.message}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button variant="quiet" disabled={create.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" loading={create.isPending} disabled={name.trim() === ''}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
