import { Button } from '@boxyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useApp } from '../App.ts'
import { joinWorkspace } from './workspaceAccess.ts'
import type { ClosedWorkspace } from './workspaceAccess.ts'

/** Lets somebody into a workspace that takes them in at once, and opens what was asked for. */
export function JoinWorkspace({ workspace }: { workspace: ClosedWorkspace }) {
  const app = useApp()
  const join = useMutation({
    mutationFn: () => joinWorkspace(app, workspace.id),
    onSuccess: () => window.location.reload(),
  })
  return (
    <>
      <p className="mt-1">
        The workspace is <strong className="text-text">{workspace.name}</strong>.
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button variant="primary" loading={join.isPending} onClick={() => join.mutate()}>
          Join workspace
        </Button>
        {join.isError && <p role="alert">Something went wrong. Please try again later.</p>}
      </div>
    </>
  )
}
