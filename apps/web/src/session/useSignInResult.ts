import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useApp } from '../App.ts'

/** Goes on with a sign-in whose last page had no opener to tell. */
export function useSignInResult({ pending, error }: { pending?: string | undefined; error?: 'DUPLICATE' | undefined }) {
  const { session } = useApp()
  const navigate = useNavigate()
  useEffect(() => {
    if (pending === undefined && error === undefined) return
    void navigate({ to: '/signin', replace: true })
    session.send({
      type: 'MESSAGE',
      message: pending === undefined ? { type: 'duplicate' } : { type: 'signup', pendingId: pending },
    })
  }, [pending, error, navigate, session])
}
