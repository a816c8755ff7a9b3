import { assign, fromCallback, fromPromise, setup } from 'xstate'
import { reloadDelay } from '../editor/boxMachine.ts'

/** What a look at the newest version comes to, and what it does on the way. */
export type VersionReport =
  /** The browser keeps the editor for the first time. */
  | { type: 'INSTALLING' }
  /** It fetches a newer one. */
  | { type: 'UPDATING' }
  /** The page is of the newest version, or nobody knows better. */
  | { type: 'LATEST' }
  /** A newer one is there; this page is of the former. */
  | { type: 'UPDATED' }
  | { type: 'UPDATE_FAILED'; reason: string }

export type VersionEvent =
  | VersionReport
  /** It is time to look. */
  | { type: 'CHECK' }
  /** Whether the machine of the editor runs a former dev server. */
  | { type: 'MICROVM'; isOld: boolean }
  /** The person asks. */
  | { type: 'RELOAD' }
  | { type: 'CLEAR_CACHE' }

export interface VersionPorts {
  /** Looks, and reports until it has sent LATEST, UPDATED or UPDATE_FAILED. The answer gives up listening. */
  check(send: (report: VersionReport) => void): () => void
  /** Removes what the browser keeps of the editor. */
  clear(): Promise<void>
  reload(): void
}

export interface VersionContext {
  ports: VersionPorts
  /** Why the newer editor is not there. */
  reason: string | null
}

/** How the open page, what the browser keeps of the editor and the microVM stand to what the server has. */
export const editorVersionMachine = setup({
  types: { context: {} as VersionContext, events: {} as VersionEvent, input: {} as VersionPorts },
  actors: {
    check: fromCallback<VersionEvent, VersionPorts>(({ input, sendBack }) => input.check(sendBack)),
    clear: fromPromise<void, VersionPorts>(({ input }) => input.clear()),
  },
  guards: { isOld: ({ event }) => event.type === 'MICROVM' && event.isOld },
  delays: { reloadDelay },
}).createMachine({
  id: 'editorVersion',
  context: ({ input }) => ({ ports: input, reason: null }),
  type: 'parallel',
  states: {
    EDITOR: {
      initial: 'WAITING',
      states: {
        WAITING: { on: { CHECK: 'LOOKING' } },
        LOOKING: {
          initial: 'CHECKING',
          invoke: { src: 'check', input: ({ context }) => context.ports },
          on: {
            // Something happened since: it is looked at anew.
            CHECK: { target: 'LOOKING', reenter: true },
            INSTALLING: '.INSTALLING',
            UPDATING: '.UPDATING',
            LATEST: 'LATEST',
            UPDATED: 'UPDATED',
            UPDATE_FAILED: {
              target: 'UPDATE_ERROR',
              actions: assign({ reason: ({ event }) => event.reason }),
            },
          },
          states: { CHECKING: {}, INSTALLING: {}, UPDATING: {} },
        },
        LATEST: { on: { CHECK: 'LOOKING' } },
        // What was found once does not change before the page is loaded anew.
        UPDATED: { on: { RELOAD: 'RELOADING' } },
        UPDATE_ERROR: { on: { CLEAR_CACHE: 'CLEARING' } },
        CLEARING: {
          invoke: {
            src: 'clear',
            input: ({ context }) => context.ports,
            onDone: 'RELOADING',
            onError: {
              target: 'UPDATE_ERROR',
              actions: assign({
                reason: ({ event }) => (event.error instanceof Error ? event.error.message : String(event.error)),
              }),
            },
          },
        },
        RELOADING: { after: { reloadDelay: { actions: ({ context }) => context.ports.reload() } } },
      },
    },
    MICROVM: {
      initial: 'CURRENT',
      states: {
        CURRENT: { on: { MICROVM: { guard: 'isOld', target: 'NEW_AVAILABLE' } } },
        NEW_AVAILABLE: { on: { MICROVM: [{ guard: 'isOld' }, { target: 'CURRENT' }] } },
      },
    },
  },
})
