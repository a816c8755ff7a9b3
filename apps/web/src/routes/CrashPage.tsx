import { Button, ErrorState } from '@boxyard/ui'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { problemDetails } from '../editor/editorErrors.ts'
import { ProblemDetails } from '../editor/ProblemDetails.tsx'

/** What is shown when the page itself failed. */
export function CrashPage({ error }: ErrorComponentProps) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-[560px] items-center p-3">
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
    </main>
  )
}
