import { Badge, Button, ErrorState, Skeleton } from '@boxyard/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { featuresSchema, identitiesSchema, sessionsSchema } from '../api/schemas.ts'
import type { SessionEntry } from '../api/schemas.ts'
import { useApp } from '../App.ts'
import { relativeTime } from '../dashboard/relativeTime.ts'
import { nameOfAgent } from './nameOfAgent.ts'

/** Where someone is signed in, which programs act for them, and with which accounts they can sign in. */
export function SessionsPage() {
  const { rest } = useApp()
  const queries = useQueryClient()
  const list = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => rest.get('/users/current/sessions', { schema: sessionsSchema, signal }),
  })
  const end = useMutation({
    mutationFn: (path: string) => rest.delete(`/users/current/sessions${path}`, { schema: z.unknown() }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })

  if (list.isPending) return <Skeleton className="h-10 w-full" />
  if (list.isError) {
    return (
      <ErrorState
        title="Your sessions could not be loaded"
        actions={<Button onClick={() => void list.refetch()}>Try again</Button>}
      >
        {list.error.message}
      </ErrorState>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <section className="flex flex-col gap-2">
        <p className="text-quiet">
          Everything here acts as you. What you sign out loses its connections at once, open editors too.
        </p>
        <ul aria-label="Sessions" className="divide-y divide-line border-y border-line">
          {list.data.map((entry) => (
            <SessionRow
              key={entry.id}
              entry={entry}
              now={new Date(list.dataUpdatedAt)}
              onEnd={() => end.mutate(`/${entry.id}`)}
              busy={end.isPending}
            />
          ))}
        </ul>
        <div>
          <Button disabled={list.data.length < 2 || end.isPending} onClick={() => end.mutate('')}>
            Sign out everywhere else
          </Button>
        </div>
        {end.isError && (
          <p role="alert" className="text-12 text-danger">
            {end.error.message}
          </p>
        )}
      </section>
      <Identities />
    </div>
  )
}

function SessionRow(props: { entry: SessionEntry; now: Date; onEnd: () => void; busy: boolean }) {
  const { entry, now, onEnd, busy } = props
  const name = entry.label ?? nameOfAgent(entry.userAgent)
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2 font-medium">
          <span className="truncate">{name}</span>
          {entry.current && <Badge>This one</Badge>}
        </div>
        <div className="text-12 text-quiet">
          {entry.kind === 'bearer' ? 'Token of a program' : 'Browser'}, last used{' '}
          {relativeTime(new Date(entry.lastUsedAt), now)}
        </div>
      </div>
      <Button size="small" disabled={busy} aria-label={`Sign out ${name}`} onClick={onEnd}>
        Sign out
      </Button>
    </li>
  )
}

const providerNames: Readonly<Record<string, string>> = {
  google: 'Google',
  apple: 'Apple',
  oidc: 'SSO',
  saml: 'SSO',
  workos: 'SSO',
}

function Identities() {
  const { rest } = useApp()
  const features = useQuery({
    queryKey: ['features'],
    queryFn: ({ signal }) => rest.get('/api/meta/features', { schema: featuresSchema, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const mine = useQuery({
    queryKey: ['identities'],
    queryFn: ({ signal }) => rest.get('/users/current/identities', { schema: identitiesSchema, signal }),
    // The other account is added in a window; this page has the focus again when it is.
    staleTime: 0,
  })
  if (!mine.data || !features.data) return null
  const gitHost = features.data.gitHostName ?? 'GitHub'
  const offered = [
    { provider: 'github', isOn: features.data.loginWithGithub },
    { provider: 'google', isOn: features.data.loginWithGoogle },
    { provider: 'apple', isOn: features.data.loginWithApple },
  ].filter(({ provider, isOn }) => isOn && !mine.data.some((identity) => identity.provider === provider))
  const nameOf = (provider: string) => providerNames[provider] ?? gitHost
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-14 font-semibold">Accounts that sign you in</h2>
      <ul aria-label="Accounts" className="divide-y divide-line border-y border-line">
        {mine.data.map(({ id, provider, login }) => (
          <li key={id} className="py-2">
            <span className="font-medium">{nameOf(provider)}</span> <span className="text-quiet">as {login}</span>
          </li>
        ))}
      </ul>
      <div className="flex gap-2">
        {offered.map(({ provider }) => (
          <Button
            key={provider}
            onClick={() =>
              window.open(`/auth/${provider}?version=2&link=true`, 'boxyard-sign-in', 'popup,width=1020,height=618')
            }
          >
            Add {nameOf(provider)}
          </Button>
        ))}
      </div>
    </section>
  )
}
