import { ErrorState, Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import type { BoxApi } from './boxApi.ts'
import type { BoxFailure } from './boxMachine.ts'
import { useSession } from '../session/useSession.ts'
import { NewVersion } from '../version/NewVersion.tsx'
import { useIsOutdated } from '../version/useIsOutdated.ts'
import { editorErrors, problemDetails } from './editorErrors.ts'
import { ProblemDetails } from './ProblemDetails.tsx'
import { RestartButton } from './RestartButton.tsx'
import { wordsOf } from './startView.ts'

export interface StartFailureViewProps {
  id: string
  api: BoxApi
  failure: BoxFailure
  /** Says it for the header too: read-only people can't restart. */
  canRestart: boolean
  onRestart: () => void
}

/** Why the machine did not start: what happened, what is safe, what to do, and the log behind it. */
export function StartFailureView({ id, api, failure, canRestart, onRestart }: StartFailureViewProps) {
  const { kind } = useSession()
  const isOutdated = useIsOutdated()
  const log = useQuery({
    queryKey: ['box-log', id, failure],
    queryFn: ({ signal }) => api.log(signal),
    retry: false,
    gcTime: 0,
  })
  const entry = editorErrors.MICROVM_NOT_STARTED
  // What could not be loaded is a part of this page; the machine runs.
  if (isOutdated && failure.code === 'NOT_CONNECTED') return <NewVersion />
  return (
    <ErrorState
      title={entry.title}
      safe="Your files are safe: everything that was saved is still there."
      actions={
        <>
          <RestartButton canRestart={canRestart} onRestart={onRestart} />
          {kind === 'in' && (
            <a href="/dashboard/recent" className="self-center px-2">
              Back to the dashboard
            </a>
          )}
        </>
      }
      details={
        <div className="flex flex-col gap-2">
          <details className="text-12" open>
            <summary className="cursor-pointer text-quiet">Log of the start</summary>
            {log.isPending && <Skeleton className="mt-2 h-16" />}
            {log.isError && <p className="mt-2 text-quiet">The log could not be read: {log.error.message}</p>}
            {log.isSuccess && (
              <pre className="mt-2 max-h-60 overflow-auto rounded-control border border-line bg-ground p-2 font-mono whitespace-pre-wrap">
                {log.data.trim() || 'The machine wrote nothing.'}
              </pre>
            )}
          </details>
          <ProblemDetails
            text={problemDetails({
              error: [failure.code, failure.message, failure.detail].filter(Boolean).join(': '),
              version: __VERSION__,
              environment: window.location.host,
              context: { devbox: id, phase: failure.phase ?? null, status: failure.status ?? null },
              event: 'START_FAILED',
              state: 'ERROR',
              branch: null,
            })}
          />
        </div>
      }
    >
      <p>
        {failure.phase && <>It stopped at “{wordsOf(failure.phase)}”: </>}
        {failure.message}.
      </p>
      {failure.next && <p className="mt-1">{failure.next}</p>}
    </ErrorState>
  )
}
