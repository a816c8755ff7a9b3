import { Button, ErrorState } from '@boxyard/ui'
import { useState } from 'react'
import { SignInDialog } from '../session/SignInDialog.tsx'
import { useSession } from '../session/useSession.ts'
import { editorErrors, problemDetails } from './editorErrors.ts'
import type { EditorErrorCode } from './editorErrors.ts'
import { ProblemDetails } from './ProblemDetails.tsx'

export interface EditorErrorPageProps {
  code: EditorErrorCode
  id: string
  error: unknown
  state: string
}

/** The page of an editor that can't be shown. */
export function EditorErrorPage({ code, id, error, state }: EditorErrorPageProps) {
  const { kind } = useSession()
  const [isSigningIn, setSigningIn] = useState(false)
  const entry = editorErrors[code]
  const said = error instanceof Error ? error.message : null
  return (
    <main className="mx-auto flex min-h-dvh max-w-[560px] items-center p-3">
      <ErrorState
        title={entry.title}
        actions={
          <>
            {entry.action === 'recover' && kind === 'out' && (
              <Button variant="primary" onClick={() => setSigningIn(true)}>
                Sign in
              </Button>
            )}
            {(entry.action === 'reload' || (entry.action === 'recover' && kind === 'in')) && (
              <Button variant="primary" onClick={() => window.location.reload()}>
                Reload page
              </Button>
            )}
            {kind === 'in' && (
              <a href="/dashboard/recent" className="self-center px-2">
                Back to the dashboard
              </a>
            )}
          </>
        }
        details={
          entry.details && (
            <>
              <ProblemDetails
                text={problemDetails({
                  error: said ?? code,
                  version: __VERSION__,
                  environment: window.location.host,
                  context: { devbox: id, code },
                  event: 'FETCH_SANDBOX',
                  state,
                  branch: null,
                })}
              />
              <p className="text-12 text-quiet">If it stays like this, show the details to whoever runs this server.</p>
            </>
          )
        }
      >
        <p>{entry.description}</p>
        {entry.details && said && <p className="mt-1">{said}</p>}
        {entry.action === 'recover' && kind === 'out' && <p className="mt-1">Sign in if it is shared with you.</p>}
      </ErrorState>
      <SignInDialog open={isSigningIn && kind !== 'in'} onClose={() => setSigningIn(false)} />
    </main>
  )
}
