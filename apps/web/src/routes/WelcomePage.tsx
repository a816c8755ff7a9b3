import { Button } from '@boxyard/ui'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SignInDialog } from '../session/SignInDialog.tsx'
import { useSession } from '../session/useSession.ts'
import { Mark } from '../shell/Mark.tsx'

const points = [
  [
    'A machine for each project',
    'Terminals, tasks and previews run on the server, apart from one another and from it.',
  ],
  ['Edited together', 'Everyone who has the project open sees every keystroke and every cursor.'],
  ['Nothing lost', 'What you type is on disk before it is acknowledged, whatever stops next.'],
] as const

export function WelcomePage() {
  const { kind } = useSession()
  const [isSigningIn, setSigningIn] = useState(false)
  if (kind === 'in') return <Navigate to="/dashboard/recent" replace />
  return (
    <main className="mx-auto flex min-h-dvh max-w-[720px] flex-col justify-center gap-6 p-6">
      <div className="flex items-center gap-2 text-16 font-semibold">
        <Mark size={28} />
        Boxyard
      </div>
      <h1 className="text-28 font-semibold">Code in the browser, on machines of your own</h1>
      <div>
        <Button variant="primary" size="large" loading={kind === 'pending'} onClick={() => setSigningIn(true)}>
          Sign in to start
        </Button>
      </div>
      <dl className="grid gap-4 border-t border-line pt-6 wide:grid-cols-3">
        {points.map(([term, text]) => (
          <div key={term}>
            <dt className="font-semibold">{term}</dt>
            <dd className="text-quiet">{text}</dd>
          </div>
        ))}
      </dl>
      <SignInDialog open={isSigningIn} onClose={() => setSigningIn(false)} />
    </main>
  )
}
