import { assign, fromPromise, setup } from 'xstate'
import type { Disconnect } from './api.ts'
import { DevServerClientError, WorkspaceFrozenError } from './errors.ts'
import type { Loss } from './session.ts'
import { timings, TRIES } from './timings.ts'

export type ConnectionEvent =
  | { type: 'CONNECT' }
  /** A person, or a program for one, wants a fresh connection. */
  | { type: 'RECONNECT' }
  | { type: 'FOCUS' }
  /** A request was made while hibernated and focused. */
  | { type: 'WAKE' }
  | ({ type: 'LOST' } & Loss)
  /** The person's work moves to another instance. */
  | { type: 'CHANGE_INSTANCE' }
  /** The dev server announced that the box hibernates. */
  | { type: 'HIBERNATE' }
  | { type: 'DISPOSE' }

interface Context {
  attempt: number
  error: Error | undefined
  disconnect: Disconnect
  connectedAt: number
  hibernatedAt: number
  hasJoined: boolean
  /** The last change of the instance failed with this. */
  changeError: Error | undefined
}

export interface ConnectionMachinePorts {
  now(): number
  isFocused(): boolean
  /** Asks for the instance and opens a socket. Aborting undoes it. */
  open(signal: AbortSignal): Promise<void>
  /** Joins on the open socket for the first time. */
  join(): Promise<void>
  /** Asks for the instance again, opens a socket with the reconnect token and joins. */
  reopen(signal: AbortSignal): Promise<void>
  /** Makes the next instance. The present socket stays in use. */
  prepareChange(): Promise<void>
  /** Leaves the present socket, which must not be heard any more. */
  leave(): void
  /** From now on the host is asked for the earlier instance again. */
  revertChange(): void
}

/** The states of a connection; the chart is in the README. */
export function connectionMachine(ports: ConnectionMachinePorts) {
  return setup({
    types: {} as { context: Context; events: ConnectionEvent },
    actors: {
      open: fromPromise<void>(({ signal }) => ports.open(signal)),
      join: fromPromise<void>(() => ports.join()),
      reopen: fromPromise<void>(({ signal }) => ports.reopen(signal)),
      prepareChange: fromPromise<void>(() => ports.prepareChange()),
    },
    guards: {
      isFocused: () => ports.isFocused(),
      hasJoined: ({ context }) => context.hasJoined,
      mayTryAgain: ({ context }) => context.attempt < TRIES && !(context.error instanceof WorkspaceFrozenError),
      isFrozen: ({ context }) => context.error instanceof WorkspaceFrozenError,
      // A server that accepts and closes at once would otherwise be asked again without a pause.
      wasShort: ({ context }) => ports.now() - context.connectedAt < timings.betweenTries,
    },
    actions: {
      leave: () => ports.leave(),
      revertChange: () => ports.revertChange(),
      noteChange: assign({
        changeError: undefined,
        disconnect: () => disconnectOf(ports, { reason: 'Instance change', code: undefined, wasClean: true }),
      }),
      noteChangeError: assign({
        changeError: ({ context }, { error }: { error: unknown }) => toError(error ?? context.error),
      }),
      resetAttempts: assign({ attempt: 0, error: undefined }),
      countAttempt: assign({ attempt: ({ context }) => context.attempt + 1 }),
      noteError: assign({ error: (_, { error }: { error: unknown }) => toError(error) }),
      noteLoss: assign({
        disconnect: (_, { reason, code, wasClean }: Loss) => disconnectOf(ports, { reason, code, wasClean }),
      }),
      giveUp: assign({
        disconnect: ({ context }) =>
          disconnectOf(ports, { reason: context.error?.message ?? 'Disconnected', code: undefined, wasClean: false }),
      }),
      noteConnected: assign({ connectedAt: () => ports.now(), hasJoined: true, error: undefined }),
      noteDisposed: assign({
        error: () => new DevServerClientError('CHANNEL_DISPOSED'),
        disconnect: () =>
          disconnectOf(ports, {
            reason: new DevServerClientError('CHANNEL_DISPOSED').message,
            code: undefined,
            wasClean: true,
          }),
      }),
      noteHibernated: assign({ hibernatedAt: () => ports.now() }),
    },
    delays: {
      connectTry: timings.connectTry,
      reconnectTry: timings.reconnectTry,
      betweenTries: timings.betweenTries,
    },
  }).createMachine({
    id: 'connection',
    context: {
      attempt: 0,
      error: undefined,
      disconnect: { reason: '', code: undefined, wasClean: true, wasFocused: true, disconnectedAt: 0 },
      connectedAt: 0,
      hibernatedAt: 0,
      hasJoined: false,
      changeError: undefined,
    },
    initial: 'idle',
    on: { DISPOSE: { target: '.disposed', actions: 'noteDisposed' } },
    states: {
      idle: { on: { CONNECT: 'connecting', RECONNECT: 'connecting' } },
      connecting: {
        entry: 'resetAttempts',
        initial: 'opening',
        states: {
          opening: {
            entry: 'countAttempt',
            invoke: {
              src: 'open',
              onDone: 'joining',
              onError: {
                target: 'judging',
                actions: { type: 'noteError', params: ({ event }) => ({ error: event.error }) },
              },
            },
            after: {
              connectTry: {
                target: 'judging',
                actions: {
                  type: 'noteError',
                  params: { error: new DevServerClientError('TIMED_OUT', { ms: timings.connectTry }) },
                },
              },
            },
          },
          joining: {
            invoke: {
              src: 'join',
              onDone: '#connection.connected',
              onError: {
                target: 'judging',
                actions: { type: 'noteError', params: ({ event }) => ({ error: event.error }) },
              },
            },
            on: {
              LOST: {
                target: 'judging',
                actions: { type: 'noteError', params: ({ event }) => ({ error: new Error(event.reason) }) },
              },
            },
          },
          judging: {
            always: [
              { guard: 'mayTryAgain', target: 'waiting' },
              { target: '#connection.disconnected', actions: 'giveUp' },
            ],
          },
          waiting: { after: { betweenTries: 'opening' } },
        },
      },
      connected: {
        entry: 'noteConnected',
        on: {
          LOST: [
            {
              guard: 'isFocused',
              target: 'reconnecting',
              actions: { type: 'noteLoss', params: ({ event }) => event },
            },
            { target: 'disconnected', actions: { type: 'noteLoss', params: ({ event }) => event } },
          ],
          RECONNECT: {
            target: 'reconnecting',
            actions: {
              type: 'noteLoss',
              params: { reason: 'Reconnect requested', code: undefined, wasClean: true },
            },
          },
          HIBERNATE: { target: 'hibernated', actions: 'noteHibernated' },
          CHANGE_INSTANCE: 'changing',
        },
      },
      changing: {
        entry: ['resetAttempts', 'noteChange'],
        initial: 'preparing',
        states: {
          preparing: {
            invoke: {
              src: 'prepareChange',
              onDone: { target: 'opening', actions: 'leave' },
              onError: {
                target: '#connection.reconnecting',
                actions: [{ type: 'noteChangeError', params: ({ event }) => ({ error: event.error }) }, 'revertChange'],
              },
            },
          },
          opening: {
            entry: 'countAttempt',
            invoke: {
              src: 'reopen',
              onDone: '#connection.connected',
              onError: {
                target: 'judging',
                actions: { type: 'noteError', params: ({ event }) => ({ error: event.error }) },
              },
            },
            on: {
              LOST: {
                target: 'judging',
                actions: { type: 'noteError', params: ({ event }) => ({ error: new Error(event.reason) }) },
              },
            },
            after: {
              reconnectTry: {
                target: 'judging',
                actions: {
                  type: 'noteError',
                  params: { error: new DevServerClientError('TIMED_OUT', { ms: timings.reconnectTry }) },
                },
              },
            },
          },
          judging: {
            always: [
              { guard: 'mayTryAgain', target: 'waiting' },
              {
                target: '#connection.reconnecting',
                actions: [{ type: 'noteChangeError', params: { error: undefined } }, 'revertChange'],
              },
            ],
          },
          waiting: { after: { betweenTries: 'opening' } },
        },
      },
      reconnecting: {
        entry: 'resetAttempts',
        initial: 'starting',
        states: {
          starting: { always: [{ guard: 'wasShort', target: 'waiting' }, { target: 'opening' }] },
          opening: {
            entry: 'countAttempt',
            invoke: {
              src: 'reopen',
              onDone: '#connection.connected',
              onError: {
                target: 'judging',
                actions: { type: 'noteError', params: ({ event }) => ({ error: event.error }) },
              },
            },
            on: {
              LOST: {
                target: 'judging',
                actions: { type: 'noteError', params: ({ event }) => ({ error: new Error(event.reason) }) },
              },
            },
            after: {
              reconnectTry: {
                target: 'judging',
                actions: {
                  type: 'noteError',
                  params: { error: new DevServerClientError('TIMED_OUT', { ms: timings.reconnectTry }) },
                },
              },
            },
          },
          judging: {
            always: [
              { guard: 'mayTryAgain', target: 'waiting' },
              { target: '#connection.disconnected', actions: 'giveUp' },
            ],
          },
          waiting: { after: { betweenTries: 'opening' } },
        },
      },
      disconnected: {
        on: {
          // A frozen workspace does not thaw by looking at it.
          FOCUS: [{ guard: 'isFrozen' }, { guard: 'hasJoined', target: 'reconnecting' }, { target: 'connecting' }],
          RECONNECT: [{ guard: 'hasJoined', target: 'reconnecting' }, { target: 'connecting' }],
          CONNECT: [{ guard: 'hasJoined', target: 'reconnecting' }, { target: 'connecting' }],
        },
      },
      hibernated: {
        on: { FOCUS: 'reconnecting', WAKE: 'reconnecting', CONNECT: 'reconnecting', RECONNECT: 'reconnecting' },
      },
      disposed: { type: 'final' },
    },
  })
}

function disconnectOf(ports: ConnectionMachinePorts, loss: Loss): Disconnect {
  const { reason, code, wasClean } = loss
  return { reason, code, wasClean, wasFocused: ports.isFocused(), disconnectedAt: ports.now() }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
