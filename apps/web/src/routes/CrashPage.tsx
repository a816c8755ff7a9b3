import { Button, ErrorState } from '@boxyard/ui'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { problemDetails } from '../editor/editorErrors.ts'
import { ProblemDetails } from '../editor/ProblemDetails.tsx'
import { NewVersion } from '../version/NewVersion.tsx'
import { useIsOutdated } from '../version/useIsOutdated.ts'

/** What is shown when the page itself failed. */
export function CrashPage({ error }: ErrorComponentProps) {
  const isOutdated = useIsOutdated()
  return (
    <main className="mx-auto flex min-h-dvh max-w-[560px] items-center p-3">
      {isOutdated ? <NewVersion /> : <Crash error={error} />}
    </main>
  )
}

function Crash({ error }: Pick<ErrorComponentProps, 'error'>) {
  return (
    <ErrorState
      title="Exception occurred"
      safe="What was saved is safe."
      actions={
        <Button variant="primary" onClick={() => window.location.reload()}>
          Reload page
        </Button>
      }
      details={
        <ProblemDetails
          text={problemDetails({
            error: error instanceof Error ? (error.stack ?? error.message) : String(error),
            version: __VERSION__,
            environment: window.location.host,
            context: { code: 'RUNTIME_ERROR', path: window.location.pathname },
            event: 'RENDER',
            state: 'ERROR',
            branch: null,
          })}
        />
      }
    >
      A part of this page failed.
    </ErrorState>
  )
}
