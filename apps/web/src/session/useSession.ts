import { useSelector } from '@xstate/react'
import type { CurrentUser } from '../api/schemas.ts'
import { useApp } from '../App.ts'

/** `pending` until it is known whether the marker of the last visit still holds. */
export type Session = { kind: 'pending'; user: null } | { kind: 'out'; user: null } | { kind: 'in'; user: CurrentUser }

export function useSession(): Session {
  const { session } = useApp()
  const user = useSelector(session, (state) => (state.matches('AUTHENTICATED') ? state.context.user : null))
  const isPending = useSelector(
    session,
    (state) => state.matches('STARTING') || state.matches({ UNAUTHENTICATED: 'AUTHENTICATING' }),
  )
  if (user) return { kind: 'in', user }
  return isPending ? { kind: 'pending', user: null } : { kind: 'out', user: null }
}
