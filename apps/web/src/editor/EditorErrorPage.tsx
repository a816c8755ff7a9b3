import { Button, buttonClass, ErrorState, Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../App.ts'
import { connectPath } from '../repositories/connectPath.ts'
import { gitProfile } from '../repositories/queries.ts'
import { SignInDialog } from '../session/SignInDialog.tsx'
import { useSession } from '../session/useSession.ts'
import { NewVersion } from '../version/NewVersion.tsx'
import { useIsOutdated } from '../version/useIsOutdated.ts'
import { editorErrors, problemDetails } from './editorErrors.ts'
import type { EditorErrorCode } from './editorErrors.ts'
import { JoinWorkspace } from './JoinWorkspace.tsx'
import { ProblemDetails } from './ProblemDetails.tsx'
import { RequestAccess } from './RequestAccess.tsx'
import { workspaceAccess } from './workspaceAccess.ts'

export interface EditorErrorPageProps {
  code: EditorErrorCode
  id: string
  error: unknown
  state: string
  /** The branch that the address names. */
  branch?: string | null
  /** The repository that the address names. */
  repository?: { owner: string; repo: string }
}

/** Those that may be a matter of being let into a workspace. */
const accessErrors: ReadonlySet<EditorErrorCode> = new Set([
  'NO_WORKSPACE_ACCESS',
  'REQUEST_WORKSPACE_ACCESS',
  'DEVBOX_NOT_FOUND',
  'SANDBOX_NOT_FOUND',
])

/** Those of the page itself, which it may have since the server has a newer one. */
const pageErrors: ReadonlySet<EditorErrorCode> = new Set(['RUNTIME_ERROR', 'SANDBOX_NOT_STARTED', 'UNKNOWN_ERROR'])

/** Those that the account at the git host has to do with. */
const repositoryErrors: ReadonlySet<EditorErrorCode> = new Set([
  'REPOSITORY_NOT_FOUND',
  'RESTRICTED_REPOSITORY',
  'NO_WORKSPACE_FOR_BRANCH_CREATION',
])

/** The page of an editor that can't be shown. */
export function EditorErrorPage({ code: found, id, error, state, branch = null, repository }: EditorErrorPageProps) {
  const app = useApp()
  const { kind } = useSession()
  const isOutdated = useIsOutdated()
  const [isSigningIn, setSigningIn] = useState(false)
  const mayGetIn = kind === 'in' && accessErrors.has(found)
  const access = useQuery({ ...workspaceAccess(app, repository ?? { sandboxId: id }), enabled: mayGetIn })
  const code = access.data?.eligible ? 'ELIGIBLE_WORKSPACE_FOUND' : found
  const entry = editorErrors[code]
  const said = error instanceof Error ? error.message : null
  const profile = useQuery({ ...gitProfile(app), enabled: kind === 'in' && repositoryErrors.has(code) })
  // What a person may not see at the git host may be there all the same.
  const permissions =
    profile.data !== undefined && !profile.data?.scopes.includes('repo') ? connectPath('private_repos') : undefined
  if (mayGetIn && access.isPending) return <Skeleton className="h-10" />
  if (isOutdated && pageErrors.has(code)) {
    return (
      <main className="mx-auto flex min-h-dvh max-w-[560px] items-center p-3">
        <NewVersion />
      </main>
    )
  }
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
                  event: repository ? 'FETCH_BRANCH' : 'FETCH_SANDBOX',
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
        {access.data?.eligible && <JoinWorkspace workspace={access.data.eligible} />}
        {code === 'REQUEST_WORKSPACE_ACCESS' && access.data && <RequestAccess {...access.data} />}
        {entry.details && said && said !== entry.title && <p className="mt-1">{said}</p>}
        {entry.action === 'recover' && kind === 'out' && <p className="mt-1">Sign in if it is shared with you.</p>}
      </ErrorState>
      <SignInDialog open={isSigningIn && kind !== 'in'} onClose={() => setSigningIn(false)} />
    </main>
  )
}
