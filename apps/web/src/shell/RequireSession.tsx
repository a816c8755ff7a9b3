import { Skeleton } from '@boxyard/ui'
import type { ReactNode } from 'react'
import type { CurrentUser } from '../api/schemas.ts'
import { SignInPage } from '../session/SignInPage.tsx'
import { useSession } from '../session/useSession.ts'

/** Shows its content to people who are signed in; others can sign in where they are. */
export function RequireSession({ children }: { children: (user: CurrentUser) => ReactNode }) {
  const session = useSession()
  if (session.kind === 'in') return children(session.user)
  if (session.kind === 'out') return <SignInPage />
  return (
    <div aria-busy className="flex min-h-dvh">
      <div className="hidden w-60 border-r border-line bg-panel p-3 wide:block">
        <Skeleton className="h-8" />
      </div>
      <div className="h-12 flex-1 border-b border-line" />
    </div>
  )
}
