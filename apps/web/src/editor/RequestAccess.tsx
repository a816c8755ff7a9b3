import { Button, Select } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../App.ts'
import { requestAccess } from './workspaceAccess.ts'
import type { WorkspaceAccess } from './workspaceAccess.ts'

/** Asks the administrators of a workspace to let somebody in. */
export function RequestAccess({ toAsk, isReadable }: Pick<WorkspaceAccess, 'toAsk' | 'isReadable'>) {
  const app = useApp()
  const [chosen, setChosen] = useState(toAsk[0]?.id ?? '')
  const request = useMutation({ mutationFn: () => requestAccess(app, chosen) })
  return (
    <div className="mt-3 flex flex-col gap-3">
      {toAsk.length === 1 && (
        <p>
          The workspace is <strong className="text-text">{toAsk[0]?.name}</strong>.
        </p>
      )}
      {toAsk.length > 1 && (
        <Select
          label="Workspace"
          value={chosen}
          disabled={request.isPending}
          onValueChange={(value) => {
            setChosen(value)
            request.reset()
          }}
          options={toAsk.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        {!request.isSuccess && (
          <Button variant="primary" loading={request.isPending} onClick={() => request.mutate()}>
            Send request
          </Button>
        )}
        {isReadable && (
          <a href="?preventWorkspaceRedirect=true" className="px-2">
            Open repository (read-only)
          </a>
        )}
      </div>
      <p role="status">
        {request.isSuccess && 'Your request has been succesfully sent to the workspace admin'}
        {request.isError && 'Your request was not sent. Please try again later.'}
      </p>
    </div>
  )
}
