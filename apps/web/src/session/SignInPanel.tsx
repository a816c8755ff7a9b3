import { Button, ErrorState, Skeleton } from '@boxyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useSelector } from '@xstate/react'
import { useState } from 'react'
import { featuresSchema } from '../api/schemas.ts'
import type { Features } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import type { Provider } from './sessionMachine.ts'
import { SsoForm } from './SsoForm.tsx'

/** The providers that are on, first the one that most people use. */
export function providerButtons(features: Features): { provider: Provider; label: string }[] {
  return [
    features.loginWithGithub && {
      provider: 'github' as const,
      label: `Sign in with ${features.gitHostName ?? 'GitHub'}`,
    },
    features.loginWithGoogle && { provider: 'google' as const, label: 'Sign in with Google' },
    features.loginWithApple && { provider: 'apple' as const, label: 'Sign in with Apple' },
    features.development && { provider: 'dev' as const, label: 'Pick a user' },
    features.development && { provider: 'cli' as const, label: 'Sign in with a token' },
  ].filter((entry) => entry !== false)
}

/** The ways to sign in, in the dialog and on the sign-in page. */
export function SignInPanel() {
  const { rest, session } = useApp()
  const features = useQuery({
    queryKey: ['features'],
    queryFn: ({ signal }) => rest.get('/api/meta/features', { schema: featuresSchema, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const clicked = useSelector(session, (state) =>
    state.matches({ UNAUTHENTICATED: 'SIGNING_IN' }) ? (state.context.target?.provider ?? null) : null,
  )
  const error = useSelector(session, (state) => state.context.error)
  const [wantsSso, setWantsSso] = useState(false)

  if (features.isPending) return <Skeleton className="h-10 w-full" />
  if (features.isError) {
    return (
      <ErrorState
        title="The ways to sign in could not be loaded"
        actions={<Button onClick={() => void features.refetch()}>Try again</Button>}
      >
        {features.error.message}
      </ErrorState>
    )
  }
  const hasSso = features.data.loginWithWorkos
  const hasProviders = providerButtons(features.data).length > 0
  const isSso = hasSso && (wantsSso || !hasProviders)
  return (
    <div className="flex flex-col gap-2">
      {isSso ? (
        <SsoForm onSwitch={hasProviders ? () => setWantsSso(false) : null} />
      ) : (
        <ProviderButtons features={features.data} clicked={clicked} />
      )}
      {hasSso && hasProviders && (
        <Button variant="quiet" size="small" disabled={clicked !== null} onClick={() => setWantsSso(!isSso)}>
          {isSso ? 'Not SSO? Sign in' : 'Sign in with SSO'}
        </Button>
      )}
      <div aria-live="polite" className="flex flex-col items-center gap-1 text-12 not-empty:pt-1">
        {clicked && (
          <>
            <span className="text-quiet">Waiting for the sign-in window.</span>
            <Button variant="quiet" size="small" onClick={() => session.send({ type: 'CANCEL' })}>
              Cancel
            </Button>
          </>
        )}
        {error && <span className="text-danger">{error.message}</span>}
      </div>
      <p className="pt-2 text-center text-12 text-quiet">
        By signing in you agree to the{' '}
        <a href="/legal/terms" className="text-link">
          terms of service
        </a>{' '}
        and the{' '}
        <a href="/legal/privacy" className="text-link">
          privacy policy
        </a>
        .
      </p>
    </div>
  )
}

function ProviderButtons({ features, clicked }: { features: Features; clicked: Provider | null }) {
  const { session } = useApp()
  const isAuthenticating = useSelector(session, (state) => state.matches({ UNAUTHENTICATED: 'AUTHENTICATING' }))
  const buttons = providerButtons(features)
  if (buttons.length === 0) {
    return (
      <p className="text-quiet">
        No way to sign in is turned on. Whoever runs this server can turn one on in its configuration.
      </p>
    )
  }
  return buttons.map(({ provider, label }, index) => (
    <Button
      key={provider}
      size="large"
      variant={index === 0 ? 'primary' : 'secondary'}
      disabled={clicked !== null || isAuthenticating}
      loading={clicked === provider || (isAuthenticating && index === 0)}
      onClick={() => session.send({ type: 'SIGN_IN', provider })}
    >
      {label}
    </Button>
  ))
}
