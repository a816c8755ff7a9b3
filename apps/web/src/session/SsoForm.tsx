import { Button, Input } from '@boxyard/ui'
import { useMachine, useSelector } from '@xstate/react'
import { useEffect } from 'react'
import { z } from 'zod'
import { useApp } from '../App.ts'
import { ssoFormMachine } from './ssoFormMachine.ts'

/** Sign-in with the identity provider of one's workspace. */
export function SsoForm({ onSwitch }: { onSwitch: (() => void) | null }) {
  const { rest, session } = useApp()
  const isSigningIn = useSelector(session, (state) => state.matches({ UNAUTHENTICATED: 'SIGNING_IN' }))
  const [state, send] = useMachine(ssoFormMachine, {
    input: {
      findAddress: async (email) => {
        const schema = z.object({ redirectUrl: z.string() })
        return (await rest.get('/auth/workos/initialize', { schema, query: { email } })).redirectUrl
      },
      onAddress: (address) => session.send({ type: 'SIGN_IN', provider: 'sso', address }),
    },
  })
  // Once its window is gone the form can be used again.
  useEffect(() => {
    if (state.matches('VALID') && !isSigningIn) send({ type: 'RESET' })
  }, [state, isSigningIn, send])
  const { status } = state.context

  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        send({ type: 'SUBMIT', email: String(new FormData(event.currentTarget).get('email')) })
      }}
    >
      <h2 className="text-14 font-semibold">Sign in with SSO</h2>
      <Input
        label="Email"
        hideLabel
        name="email"
        type="email"
        required
        autoFocus
        placeholder="Enter your email"
        disabled={!state.matches('IDLE')}
      />
      <Button type="submit" size="large" variant="primary" disabled={!state.matches('IDLE')}>
        {state.matches('VALIDATING') ? 'Signin in...' : 'Continue with SSO'}
      </Button>
      {status !== null && (
        <div role="alert" className="flex flex-col items-start gap-1 text-12 text-danger">
          <p>
            {status === 0 ? 'The server does not answer. ' : `Request failed with status code ${status}. `}
            Please contact your team admin or{' '}
            {onSwitch ? (
              <button type="button" className="cursor-pointer underline" onClick={onSwitch}>
                sign in through a different method
              </button>
            ) : (
              'sign in through a different method'
            )}
            .
          </p>
          <Button variant="quiet" size="small" onClick={() => send({ type: 'RESET' })}>
            Try another address
          </Button>
        </div>
      )}
    </form>
  )
}
