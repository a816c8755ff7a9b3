import { Button, ErrorState, Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { classify } from '../api/RequestError.ts'
import { useApp } from '../App.ts'
import { EditorErrorPage } from '../editor/EditorErrorPage.tsx'
import { SignInDialog } from '../session/SignInDialog.tsx'
import { useSession } from '../session/useSession.ts'
import { joinLiveSession } from './liveSession.ts'

/** The way into a live session by its link. */
export function JoinLivePage({ id }: { id: string }) {
  const session = useSession()
  if (session.kind === 'pending') return <Skeleton className="h-10" />
  return session.kind === 'in' ? <Joining key={session.user.id} id={id} /> : <SignedOut />
}

function Joining({ id }: { id: string }) {
  const app = useApp()
  // Joining again changes nothing, so an answer that was lost is asked for again.
  const joined = useQuery({ queryKey: ['join-live', id], queryFn: () => joinLiveSession(app, id), staleTime: Infinity })
  if (joined.isError) {
    const code = classify(joined.error) === 'NOT_FOUND' ? 'LIVE_SESSION_NOT_FOUND' : 'UNKNOWN_ERROR'
    return <EditorErrorPage code={code} id={id} error={joined.error} state="ERROR" />
  }
  if (joined.data === undefined) return <Skeleton className="h-10" />
  return <Navigate to="/devbox/$" params={{ _splat: joined.data }} replace />
}

function SignedOut() {
  const [isSigningIn, setSigningIn] = useState(false)
  return (
    <main className="mx-auto flex min-h-dvh max-w-[560px] items-center p-3">
      <ErrorState
        title="Login required for page access"
        actions={
          <Button variant="primary" onClick={() => setSigningIn(true)}>
            Sign in
          </Button>
        }
      >
        You are invited to a live session. The others see who is there, so you come in with an account.
      </ErrorState>
      <SignInDialog open={isSigningIn} onClose={() => setSigningIn(false)} />
    </main>
  )
}
