import { assign, fromCallback, sendTo, setup } from 'xstate'
import type { StartedBox, StartProgress } from '../api/schemas.ts'

/** Milliseconds between a restart and the reload of a page whose editor was open. */
export const reloadDelay = 1_000

/** Milliseconds after which a lost connection is tried again while the page is in sight; out of sight its return is waited for. */
export const retryDelay = 5_000

export interface InitStatus {
  message: string
  /** 0..100 */
  progress: number
  isError?: boolean | undefined
  stdout?: string | undefined
}

/** Why a start failed, as the server says it. */
export interface BoxFailure {
  message: string
  code?: string | undefined
  phase?: string | undefined
  detail?: string | undefined
  next?: string | undefined
  /** The HTTP status of the answer, 0 for none. */
  status?: number | undefined
}

/** What the connection to the dev server tells. */
export type ConnectionEvent =
  | { type: 'INIT_STATUS'; status: InitStatus }
  | { type: 'CONNECTED' }
  | { type: 'RECONNECTING'; attempt: number }
  | { type: 'DISCONNECTED'; reason: string; wasClean: boolean }
  | { type: 'HIBERNATED' }

export type BoxEvent =
  | ConnectionEvent
  | { type: 'START_PROGRESS'; progress: StartProgress }
  | { type: 'STARTED'; box: StartedBox }
  | { type: 'START_FAILED'; failure: BoxFailure }
  /** The person asks. */
  | { type: 'RECONNECT' }
  | { type: 'RESTART' }

export interface BoxPorts {
  /** Starts the box or joins its start, and reports until it has sent STARTED or START_FAILED. The answer gives up listening. */
  start(send: (event: BoxEvent) => void): () => void
  /** Opens the connection to the dev server and reports its states. */
  connect(box: StartedBox, send: (event: ConnectionEvent) => void): { reconnect(): void; dispose(): void }
  /** Stops the box and starts it cleanly; reports like a start. */
  restart(send: (event: BoxEvent) => void): () => void
  reload(): void
  /** Whether the page is in sight. */
  isFocused(): boolean
}

export interface BoxContext {
  ports: BoxPorts
  progress: StartProgress | null
  box: StartedBox | null
  initStatus: InitStatus | null
  failure: BoxFailure | null
  /** Why the connection was lost. */
  disconnect: { reason: string; wasClean: boolean } | null
  attempt: number
  wasConnected: boolean
}

/**
 * The machine behind a devbox, as the page sees it. The connection lives from the start until the page goes or the start is
 * repeated; inside LINKED its own tries decide between RECONNECTING and DISCONNECTED.
 */
const boxSetup = setup({
  types: { context: {} as BoxContext, events: {} as BoxEvent, input: {} as BoxPorts },
  actors: {
    start: fromCallback<BoxEvent, BoxPorts>(({ input, sendBack }) => input.start(sendBack)),
    connection: fromCallback<{ type: 'RECONNECT' }, { ports: BoxPorts; box: StartedBox }>(
      ({ input, sendBack, receive }) => {
        const connection = input.ports.connect(input.box, sendBack)
        receive(() => connection.reconnect())
        return () => connection.dispose()
      },
    ),
    restart: fromCallback<BoxEvent, BoxPorts>(({ input, sendBack }) => input.restart(sendBack)),
  },
  actions: {
    forget: assign({ progress: null, box: null, initStatus: null, failure: null, disconnect: null }),
    noteProgress: assign({ progress: (_, { progress }: { progress: StartProgress }) => progress }),
    noteBox: assign({ box: (_, { box }: { box: StartedBox }) => box }),
    noteFailure: assign({ failure: (_, { failure }: { failure: BoxFailure }) => failure }),
    askReconnect: sendTo('connection', { type: 'RECONNECT' }),
    noteAttempt: assign({ attempt: (_, { attempt }: { attempt: number }) => attempt }),
    noteDisconnect: assign({
      disconnect: (_, { reason, wasClean }: { reason: string; wasClean: boolean }) => ({ reason, wasClean }),
    }),
    noteConnected: assign({ wasConnected: true, disconnect: null, failure: null, attempt: 0 }),
    reload: ({ context }) => context.ports.reload(),
  },
  guards: { mayRetry: ({ context }) => context.ports.isFocused() && context.disconnect?.wasClean === false },
  delays: { reloadDelay, retryDelay },
})

type Told<Type extends BoxEvent['type']> = { event: Extract<BoxEvent, { type: Type }> }

/** What a start reports, whether it is the first one or follows a stop. */
const starting = {
  START_PROGRESS: { actions: { type: 'noteProgress', params: ({ event }: Told<'START_PROGRESS'>) => event } },
  STARTED: { target: 'LINKED', actions: { type: 'noteBox', params: ({ event }: Told<'STARTED'>) => event } },
  START_FAILED: {
    target: 'ERROR',
    actions: { type: 'noteFailure', params: ({ event }: Told<'START_FAILED'>) => event },
  },
} as const

export const boxMachine = boxSetup.createMachine({
  id: 'box',
  context: ({ input }) => ({
    ports: input,
    progress: null,
    box: null,
    initStatus: null,
    failure: null,
    disconnect: null,
    attempt: 0,
    wasConnected: false,
  }),
  initial: 'STARTING',
  states: {
    STARTING: {
      entry: 'forget',
      invoke: { src: 'start', input: ({ context }) => context.ports },
      on: starting,
    },
    LINKED: {
      initial: 'CONNECTING',
      invoke: {
        id: 'connection',
        src: 'connection',
        input: ({ context }) => {
          if (!context.box) throw new Error('a connection without a box')
          return { ports: context.ports, box: context.box }
        },
      },
      on: {
        HIBERNATED: '.HIBERNATED',
        RESTART: '.RESTARTING',
      },
      states: {
        CONNECTING: {
          on: {
            INIT_STATUS: { actions: assign({ initStatus: ({ event }) => event.status }) },
            CONNECTED: 'READY',
            DISCONNECTED: {
              target: '#box.ERROR',
              actions: assign({
                failure: ({ event }) => ({ message: event.reason, phase: 'connecting', code: 'NOT_CONNECTED' }),
              }),
            },
            // A start that can't be connected to is started anew, not restarted under an editor.
            RESTART: '#box.RESTARTING',
          },
        },
        READY: {
          entry: 'noteConnected',
          on: {
            RECONNECTING: {
              target: 'RECONNECTING',
              actions: { type: 'noteAttempt', params: ({ event }) => event },
            },
            DISCONNECTED: {
              target: 'DISCONNECTED',
              actions: { type: 'noteDisconnect', params: ({ event }) => event },
            },
          },
        },
        RECONNECTING: {
          on: {
            CONNECTED: 'READY',
            RECONNECTING: { actions: { type: 'noteAttempt', params: ({ event }) => event } },
            DISCONNECTED: {
              target: 'DISCONNECTED',
              actions: { type: 'noteDisconnect', params: ({ event }) => event },
            },
          },
        },
        DISCONNECTED: {
          after: {
            retryDelay: { guard: 'mayRetry', target: 'DISCONNECTED_RECONNECTING', actions: 'askReconnect' },
          },
          on: {
            RECONNECT: { target: 'DISCONNECTED_RECONNECTING', actions: 'askReconnect' },
            // The page got the focus, and the connection tries by itself.
            RECONNECTING: {
              target: 'DISCONNECTED_RECONNECTING',
              actions: { type: 'noteAttempt', params: ({ event }) => event },
            },
            CONNECTED: 'READY',
          },
        },
        DISCONNECTED_RECONNECTING: {
          on: {
            CONNECTED: 'READY',
            RECONNECTING: { actions: { type: 'noteAttempt', params: ({ event }) => event } },
            DISCONNECTED: {
              target: 'DISCONNECTED',
              actions: { type: 'noteDisconnect', params: ({ event }) => event },
            },
          },
        },
        HIBERNATED: {
          on: {
            RECONNECT: { target: 'DISCONNECTED_RECONNECTING', actions: 'askReconnect' },
            RECONNECTING: 'DISCONNECTED_RECONNECTING',
            CONNECTED: 'READY',
          },
        },
        RESTARTING: {
          invoke: {
            src: 'restart',
            input: ({ context }) => context.ports,
          },
          on: {
            STARTED: 'RELOADING',
            START_FAILED: {
              target: 'DISCONNECTED',
              actions: [
                assign({ failure: ({ event }) => event.failure }),
                {
                  type: 'noteDisconnect',
                  params: ({ event }) => ({ reason: event.failure.message, wasClean: true }),
                },
              ],
            },
            HIBERNATED: {},
            RESTART: {},
          },
        },
        RELOADING: {
          after: { reloadDelay: { actions: 'reload' } },
          on: { HIBERNATED: {}, RESTART: {} },
        },
      },
    },
    RESTARTING: {
      entry: 'forget',
      invoke: { src: 'restart', input: ({ context }) => context.ports },
      on: starting,
    },
    ERROR: { on: { RESTART: 'RESTARTING' } },
  },
})
