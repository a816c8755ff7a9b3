import { Button } from '@boxyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { workspaces } from '../api/queries.ts'
import type { Sandbox } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { privacyMeanings } from '../dashboard/privacyNames.ts'
import { CenteredPage } from '../session/CenteredPage.tsx'
import type { ForkPlace } from './forkToDrafts.ts'
import { openFork } from './openFork.ts'
import { pendingFork } from './pendingFork.ts'

export interface ForkPageProps {
  sandbox: Sandbox
  place: ForkPlace
  /** The person would rather have the original, or there is no copy. */
  onLeave: () => void
}

/**
 * Asks whether a copy should be made, which an address wants: anybody can write one. What the person typed before they had signed in was a wish of
 * their own, so that is not asked again.
 */
export function ForkPage({ sandbox, place, onLeave }: ForkPageProps) {
  const app = useApp()
  const { workspaceId, privacy } = place
  const kind = sandbox.v2 ? 'devbox' : 'sandbox'
  const pending = pendingFork(sessionStorage, sandbox.id)
  const found = useQuery({ ...workspaces(app), enabled: workspaceId !== undefined })
  const workspace = found.data?.find(({ id }) => id === workspaceId)
  const fork = useMutation({
    mutationFn: async () => {
      const edit = pending.read()
      pending.clear()
      await openFork(app, sandbox, { place, ...(edit && { edit: () => edit }) })
    },
    onError: onLeave,
  })
  useEffect(() => {
    // The text of the original would lie over the question.
    window.boxyardFirstText?.giveUp()
  }, [])
  const begun = useRef(false)
  const { mutate } = fork
  useEffect(() => {
    if (begun.current || !pending.read()) return
    begun.current = true
    mutate()
  }, [pending, mutate])
  const meaning = privacy === undefined ? undefined : privacyMeanings[privacy]
  return (
    <CenteredPage title={`Fork this ${kind}?`}>
      <p className="text-quiet">
        You get a copy of “{sandbox.title ?? sandbox.id}” of your own
        {workspace ? ` in ${workspace.name}` : ' among your drafts'}. The original stays as it is.
        {meaning !== undefined && ` The copy: ${meaning.charAt(0).toLowerCase()}${meaning.slice(1)}`}
      </p>
      <div className="flex gap-2">
        <Button variant="primary" size="large" loading={fork.isPending || fork.isSuccess} onClick={() => mutate()}>
          Fork it
        </Button>
        <Button variant="quiet" size="large" disabled={fork.isPending || fork.isSuccess} onClick={onLeave}>
          Open the original
        </Button>
      </div>
    </CenteredPage>
  )
}
