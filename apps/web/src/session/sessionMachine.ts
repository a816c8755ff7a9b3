import { and, assign, enqueueActions, fromCallback, fromPromise, sendTo, setup } from 'xstate'
import { classify } from '../api/RequestError.ts'
import type { CurrentUser, PendingUser } from '../api/schemas.ts'

/** Where the sign-in window goes. `cli` gets a token for this page, `dev` lets one pick a user; both exist in development only. */
export type Provider = 'github' | 'google' | 'apple' | 'sso' | 'cli' | 'dev'

export interface SignInTarget {
  provider: Provider
  /** For single sign-on: where the server sends the person. */
  address?: string
}

/** Milliseconds in which the popup must have answered. */
export const signInTimeout = 60_000

export interface SessionError {
  code: 'DUPLICATE' | 'SIGNUP_FAILED' | 'TIMEOUT' | 'POPUP_BLOCKED' | 'UNREACHABLE' | 'TOKEN_REFUSED'
  message: string
}

const errors = {
  DUPLICATE: 'This e-mail address already belongs to another account. Sign in the way you did before.',
  TIMEOUT: 'The sign-in took longer than a minute. Finish it in its window, or try again.',
  POPUP_BLOCKED: 'The browser blocked the sign-in window. Allow windows for this page and try again.',
} as const

const sessionError = (code: keyof typeof errors): SessionError => ({ code, message: errors[code] })

const said = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** What the popup, or whoever stands in for it, tells. */
export type SignInMessage =
  | { type: 'signin' }
  | { type: 'signup'; pendingId: string }
  | { type: 'duplicate' }
  /** A code of the command-line sign-in. */
  | { type: 'token'; token: string }

export interface FinalizeInput {
  id: string
  username: string
  name: string | null
  /** What the person does; asked for, never needed. */
  role: string | null
}

export interface SessionPorts {
  /** Null: nobody is signed in. Rejects when that can't be found out. */
  currentUser(): Promise<CurrentUser | null>
  pendingUser(id: string): Promise<PendingUser>
  finalize(input: FinalizeInput): Promise<void>
  signOut(): Promise<void>
  /** Opens the provider's page. Null when the browser blocks it. `onClosed` is called once the window is gone. */
  openPopup(target: SignInTarget, onClosed: () => void): { close(): void } | null
  onMessage(listener: (message: SignInMessage) => void): () => void
  /** Turns the code of the command-line sign-in into a bearer token and stores that. */
  useToken(code: string): Promise<void>
  /** What says at the next visit that somebody is signed in: the marker, or the stored bearer token. */
  marker: { present(): boolean; set(): void; clear(): void }
  /** Told when signing out failed. */
  onSignOutFailed(message: string): void
}

export interface SessionContext {
  ports: SessionPorts
  user: CurrentUser | null
  error: SessionError | null
  target: SignInTarget | null
  pendingUser: PendingUser | null
  finalizeError: string | null
}

export type SessionEvent =
  | ({ type: 'SIGN_IN' } & SignInTarget)
  | { type: 'CANCEL' }
  | ({ type: 'FINALIZE' } & Omit<FinalizeInput, 'id'>)
  | { type: 'SIGN_OUT' }
  /** The server's answers say that the session is over. */
  | { type: 'SESSION_ENDED' }
  /** Told by another window of this browser, which shares its session. */
  | { type: 'SIGNED_IN_ELSEWHERE' }
  | { type: 'POPUP.CLOSED' }
  | { type: 'POPUP.CANCELLED' }
  | { type: 'POPUP.BLOCKED' }
  | { type: 'MESSAGE'; message: SignInMessage }

/**
 * Who is using the page. UNAUTHENTICATED may carry an error and a transition towards AUTHENTICATED; AUTHENTICATED carries the user.
 * A message of the sign-in window counts as long as nobody is signed in, also after the time ran out.
 */
export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    input: {} as SessionPorts,
  },
  actors: {
    loadUser: fromPromise<CurrentUser | null, SessionPorts>(({ input }) => input.currentUser()),
    loadPendingUser: fromPromise<PendingUser, { ports: SessionPorts; id: string }>(({ input }) =>
      input.ports.pendingUser(input.id),
    ),
    finalize: fromPromise<void, { ports: SessionPorts; finalize: FinalizeInput }>(({ input }) =>
      input.ports.finalize(input.finalize),
    ),
    signOut: fromPromise<void, SessionPorts>(({ input }) => input.signOut()),
    messages: fromCallback<SessionEvent, SessionPorts>(({ input, sendBack }) =>
      input.onMessage((message) => sendBack({ type: 'MESSAGE', message })),
    ),
    useToken: fromPromise<void, { ports: SessionPorts; token: string }>(({ input }) =>
      input.ports.useToken(input.token),
    ),
    popup: fromCallback<{ type: 'CLOSE' }, { ports: SessionPorts; target: SignInTarget }>(
      ({ input, sendBack, receive }) => {
        const popup = input.ports.openPopup(input.target, () => sendBack({ type: 'POPUP.CLOSED' }))
        if (!popup) sendBack({ type: 'POPUP.BLOCKED' })
        receive(() => {
          popup?.close()
          sendBack({ type: 'POPUP.CANCELLED' })
        })
      },
    ),
  },
  guards: {
    isMarked: ({ context }) => context.ports.marker.present(),
    saysSignin: ({ event }) => event.type === 'MESSAGE' && event.message.type === 'signin',
    saysSignup: ({ event }) => event.type === 'MESSAGE' && event.message.type === 'signup',
    saysDuplicate: ({ event }) => event.type === 'MESSAGE' && event.message.type === 'duplicate',
    saysToken: ({ event }) => event.type === 'MESSAGE' && event.message.type === 'token',
    isCommandLine: ({ context }) => context.target?.provider === 'cli',
  },
  actions: {
    setMarker: ({ context }) => context.ports.marker.set(),
    clearMarker: ({ context }) => context.ports.marker.clear(),
  },
}).createMachine({
  id: 'session',
  context: ({ input }) => ({
    ports: input,
    user: null,
    error: null,
    target: null,
    pendingUser: null,
    finalizeError: null,
  }),
  initial: 'STARTING',
  states: {
    STARTING: {
      always: [{ guard: 'isMarked', target: 'UNAUTHENTICATED.AUTHENTICATING' }, { target: 'UNAUTHENTICATED.IDLE' }],
    },
    UNAUTHENTICATED: {
      initial: 'IDLE',
      entry: assign({ user: null }),
      invoke: { src: 'messages', input: ({ context }) => context.ports },
      on: {
        MESSAGE: [
          { guard: 'saysSignin', target: '.AUTHENTICATING' },
          { guard: 'saysSignup', target: '.FETCHING_PENDING_USER' },
          {
            guard: 'saysDuplicate',
            target: '.IDLE',
            actions: assign({ error: sessionError('DUPLICATE') }),
          },
        ],
      },
      states: {
        IDLE: {
          // Whatever the last visit left behind says nothing about what comes next; what another window has just left does.
          exit: enqueueActions(({ event, enqueue }) => {
            if (event.type !== 'SIGNED_IN_ELSEWHERE') enqueue('clearMarker')
          }),
          on: {
            SIGNED_IN_ELSEWHERE: 'AUTHENTICATING',
            SIGN_IN: {
              target: 'SIGNING_IN',
              actions: assign({
                target: ({ event: { type: _type, ...target } }) => target,
                error: null,
              }),
            },
          },
        },
        AUTHENTICATING: {
          entry: assign({ error: null }),
          invoke: {
            src: 'loadUser',
            input: ({ context }) => context.ports,
            onDone: [
              {
                guard: ({ event }) => event.output !== null,
                target: '#session.AUTHENTICATED',
                actions: [assign({ user: ({ event }) => event.output }), 'setMarker'],
              },
              { target: 'IDLE', actions: 'clearMarker' },
            ],
            // The marker stays: the next visit tries again.
            onError: {
              target: 'IDLE',
              actions: assign({ error: ({ event }) => ({ code: 'UNREACHABLE', message: said(event.error) }) }),
            },
          },
        },
        SIGNING_IN: {
          invoke: {
            id: 'popup',
            src: 'popup',
            input: ({ context }) => ({ ports: context.ports, target: context.target ?? { provider: 'github' } }),
          },
          after: {
            [signInTimeout]: { target: 'IDLE', actions: assign({ error: sessionError('TIMEOUT') }) },
          },
          on: {
            // A token that nobody waits for could sign this page in as somebody else.
            MESSAGE: {
              guard: and(['isCommandLine', 'saysToken']),
              target: 'USING_TOKEN',
            },
            CANCEL: { actions: sendTo('popup', { type: 'CLOSE' }) },
            'POPUP.CANCELLED': 'IDLE',
            'POPUP.CLOSED': [{ guard: 'isCommandLine', target: 'AUTHENTICATING' }, { target: 'IDLE' }],
            'POPUP.BLOCKED': { target: 'IDLE', actions: assign({ error: sessionError('POPUP_BLOCKED') }) },
          },
        },
        USING_TOKEN: {
          invoke: {
            src: 'useToken',
            input: ({ context, event }) => ({
              ports: context.ports,
              token: event.type === 'MESSAGE' && event.message.type === 'token' ? event.message.token : '',
            }),
            onDone: 'AUTHENTICATING',
            onError: {
              target: 'IDLE',
              actions: assign({ error: ({ event }) => ({ code: 'TOKEN_REFUSED', message: said(event.error) }) }),
            },
          },
        },
        FETCHING_PENDING_USER: {
          entry: assign({ error: null }),
          invoke: {
            src: 'loadPendingUser',
            input: ({ context, event }) => ({
              ports: context.ports,
              id: event.type === 'MESSAGE' && event.message.type === 'signup' ? event.message.pendingId : '',
            }),
            onDone: {
              target: 'CHOOSING_NAME',
              actions: assign({ pendingUser: ({ event }) => event.output, finalizeError: null }),
            },
            onError: {
              target: 'IDLE',
              actions: assign({ error: ({ event }) => ({ code: 'SIGNUP_FAILED', message: said(event.error) }) }),
            },
          },
        },
        CHOOSING_NAME: {
          on: {
            FINALIZE: 'FINALIZING',
            CANCEL: { target: 'IDLE', actions: assign({ pendingUser: null }) },
          },
        },
        FINALIZING: {
          entry: assign({ finalizeError: null }),
          invoke: {
            src: 'finalize',
            input: ({ context, event }) => ({
              ports: context.ports,
              finalize: {
                id: context.pendingUser?.id ?? '',
                username: event.type === 'FINALIZE' ? event.username : '',
                name: event.type === 'FINALIZE' ? event.name : null,
                role: event.type === 'FINALIZE' ? event.role : null,
              },
            }),
            onDone: { target: 'AUTHENTICATING', actions: assign({ pendingUser: null }) },
            onError: [
              {
                // The sign-up is gone; no other name helps.
                guard: ({ event }) => classify(event.error) === 'NOT_FOUND',
                target: 'IDLE',
                actions: assign({
                  pendingUser: null,
                  error: ({ event }) => ({ code: 'SIGNUP_FAILED', message: said(event.error) }),
                }),
              },
              {
                target: 'CHOOSING_NAME',
                actions: assign({ finalizeError: ({ event }) => said(event.error) }),
              },
            ],
          },
        },
      },
    },
    AUTHENTICATED: {
      initial: 'IDLE',
      on: {
        SESSION_ENDED: { target: 'UNAUTHENTICATED.IDLE', actions: 'clearMarker' },
      },
      states: {
        IDLE: { on: { SIGN_OUT: 'SIGNING_OUT' } },
        SIGNING_OUT: {
          invoke: {
            src: 'signOut',
            input: ({ context }) => context.ports,
            onDone: { target: '#session.UNAUTHENTICATED.IDLE', actions: 'clearMarker' },
            onError: {
              target: 'IDLE',
              actions: ({ context }) => context.ports.onSignOutFailed('Not able to sign you out'),
            },
          },
        },
      },
    },
  },
})
