import { NoticeStore } from '@boxyard/ui'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { createActor } from 'xstate'
import type { ActorRefFrom } from 'xstate'
import { z } from 'zod'
import { GraphqlClient } from './api/GraphqlClient.ts'
import { classify, RequestError } from './api/RequestError.ts'
import { RestClient } from './api/RestClient.ts'
import { LiveSocket } from './live/LiveSocket.ts'
import { offlineFetch } from './offline/offlineFetch.ts'
import { bearerToken, withBearer } from './session/bearerToken.ts'
import { browserSessionPorts } from './session/browserSessionPorts.ts'
import { sessionMachine } from './session/sessionMachine.ts'
import { reportSessionErrors } from './session/reportSessionErrors.ts'
import { signedInMarker } from './session/signedInMarker.ts'
import { ThemePreference } from './theme/ThemePreference.ts'
import { WorkspaceChoice } from './workspace/WorkspaceChoice.ts'

/** What the whole page shares. Made once, handed down by context. */
export interface App {
  rest: RestClient
  graphql: GraphqlClient
  live: LiveSocket
  queries: QueryClient
  notices: NoticeStore
  session: ActorRefFrom<typeof sessionMachine>
  theme: ThemePreference
  workspace: WorkspaceChoice
}

export function createApp(): App {
  const notices = new NoticeStore()
  const fetch = offlineFetch(withBearer(window.fetch.bind(window)), window.location)
  const onAnswer = () => {
    // The marker speaks about the cookie of the session, which a bearer token replaces.
    if (bearerToken.read() === null && signedInMarker.saysEnded()) session.send({ type: 'SESSION_ENDED' })
  }
  const rest = new RestClient({ fetch, onAnswer })
  const session = createActor(sessionMachine, {
    input: browserSessionPorts(rest, (message) =>
      notices.add({
        uniqueName: 'sign-out',
        tone: 'error',
        title: message,
        body: 'You are still signed in. Try again in a moment.',
      }),
    ),
  })
  reportSessionErrors(session, (error) => rest.post('/users/session-errors', { schema: z.unknown(), body: error }))
  const queries = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (classify(error) === 'UNAUTHORIZED') session.send({ type: 'SESSION_ENDED' })
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // What the server refused once it refuses again; only silence is worth another try.
        retry: (count, error) =>
          count < 2 && error instanceof RequestError && [0, 502, 503, 504].includes(error.status),
      },
    },
  })
  return {
    rest,
    graphql: new GraphqlClient(fetch, onAnswer),
    live: new LiveSocket(rest),
    queries,
    notices,
    session,
    theme: new ThemePreference(),
    workspace: new WorkspaceChoice(),
  }
}

const AppContext = createContext<App | null>(null)
export const AppProvider = AppContext.Provider

export function useApp(): App {
  const app = useContext(AppContext)
  if (!app) throw new Error('useApp() outside of the app')
  return app
}
