import { Button, buttonClass, ErrorState } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../App.ts'
import { connectPath } from '../repositories/connectPath.ts'
import { gitProfile } from '../repositories/queries.ts'
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
  /** The branch that the address names. */
  branch?: string | null
}

/** Those that the account at the git host has to do with. */
const repositoryErrors: ReadonlySet<EditorErrorCode> = new Set([
  'REPOSITORY_NOT_FOUND',
  'RESTRICTED_REPOSITORY',
  'NO_WORKSPACE_FOR_BRANCH_CREATION',
])

/** The page of an editor that can't be shown. */
export function EditorErrorPage({ code, id, error, state, branch = null }: EditorErrorPageProps) {
  const { kind } = useSession()
  const [isSigningIn, setSigningIn] = useState(false)
  const entry = editorErrors[code]
  const said = error instanceof Error ? error.message : null
  const profile = useQuery({ ...gitProfile(useApp()), enabled: kind === 'in' && repositoryErrors.has(code) })
  // What a person may not see at the git host may be there all the same.
  const permissions =
    profile.data !== undefined && !profile.data?.scopes.includes('repo') ? connectPath('private_repos') : undefined
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
            {permissions && (
              <a className={buttonClass('primary')} href={permissions}>
                Review GitHub permissions
              </a>
            )}
            {code === 'RESTRICTED_REPOSITORY' && kind === 'in' && (
              <a className={buttonClass('quiet')} href="?import=true">
                Import it into your workspace
              </a>
            )}
            {!permissions && (entry.action === 'reload' || (entry.action === 'recover' && kind === 'in')) && (
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
                  branch,
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
