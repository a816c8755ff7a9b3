import { Button, ErrorState } from '@boxyard/ui'
import type { ErrorComponentProps } from '@tanstack/react-router'

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
          <details className="text-12">
            <summary className="cursor-pointer text-quiet">Problem details</summary>
            <pre className="mt-2 max-h-60 overflow-auto rounded-control border border-line bg-ground p-2 font-mono">
              {error instanceof Error ? (error.stack ?? error.message) : String(error)}
            </pre>
          </details>
        }
      >
        A part of this page failed.
      </ErrorState>
    </main>
  )
}
