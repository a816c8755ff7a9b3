import { assign, fromPromise, setup } from 'xstate'
import type { Sandbox } from '../api/schemas.ts'

export interface EditorContext {
  load: (id: string) => Promise<Sandbox>
  id: string
  sandbox: Sandbox | null
  error: unknown
}

export type EditorEvent =
  | { type: 'FETCH_SANDBOX' }
  | { type: 'SWITCH_DEVBOX'; id: string }
  /** What is edited is a copy from now on; the editor stays. */
  | { type: 'FORKED'; sandbox: Sandbox }
  | { type: 'PRIVACY_CHANGED'; privacy: number }
  /** The title was stored by the server. */
  | { type: 'RENAMED'; title: string }

/** Loading of what the page edits. A new load keeps what is shown until it is done. */
export const editorMachine = setup({
  types: {
    context: {} as EditorContext,
    events: {} as EditorEvent,
    input: {} as { id: string; load: (id: string) => Promise<Sandbox> },
  },
  actors: {
    load: fromPromise<Sandbox, { id: string; load: (id: string) => Promise<Sandbox> }>(({ input }) =>
      input.load(input.id),
    ),
  },
}).createMachine({
  id: 'editor',
  context: ({ input }) => ({ ...input, sandbox: null, error: null }),
  initial: 'FETCHING',
  states: {
    FETCHING: {
      entry: assign({ error: null }),
      invoke: {
        src: 'load',
        input: ({ context }) => ({ id: context.id, load: context.load }),
        onDone: { target: 'READY', actions: assign({ sandbox: ({ event }) => event.output }) },
        onError: { target: 'ERROR', actions: assign({ error: ({ event }) => event.error }) },
      },
    },
    READY: {
      on: {
        FETCH_SANDBOX: 'FETCHING',
        SWITCH_DEVBOX: { target: 'FETCHING', actions: assign({ id: ({ event }) => event.id, sandbox: null }) },
        FORKED: {
          actions: assign({ id: ({ event }) => event.sandbox.id, sandbox: ({ event }) => event.sandbox }),
        },
        PRIVACY_CHANGED: {
          actions: assign({
            sandbox: ({ context, event }) => context.sandbox && { ...context.sandbox, privacy: event.privacy },
          }),
        },
        RENAMED: {
          actions: assign({
            sandbox: ({ context, event }) => context.sandbox && { ...context.sandbox, title: event.title },
          }),
        },
      },
    },
    ERROR: { on: { FETCH_SANDBOX: 'FETCHING' } },
  },
})
