import { assign, fromPromise, setup } from 'xstate'

export interface SsoFormContext {
  findAddress: (email: string) => Promise<string>
  onAddress: (address: string) => void
  /** The HTTP status of the answer that was no address, or 0 when none came. */
  status: number | null
}

type SsoFormEvent = { type: 'SUBMIT'; email: string } | { type: 'RESET' }

/** Asks the server where somebody with this address signs in. Takes input only in IDLE. */
export const ssoFormMachine = setup({
  types: {
    context: {} as SsoFormContext,
    events: {} as SsoFormEvent,
    input: {} as Pick<SsoFormContext, 'findAddress' | 'onAddress'>,
  },
  actors: {
    findAddress: fromPromise<string, { find: SsoFormContext['findAddress']; email: string }>(({ input }) =>
      input.find(input.email),
    ),
  },
  guards: { isGiven: ({ event }) => event.type === 'SUBMIT' && event.email.trim() !== '' },
}).createMachine({
  id: 'ssoForm',
  context: ({ input }) => ({ ...input, status: null }),
  initial: 'IDLE',
  states: {
    IDLE: {
      entry: assign({ status: null }),
      on: { SUBMIT: { guard: 'isGiven', target: 'VALIDATING' } },
    },
    VALIDATING: {
      invoke: {
        src: 'findAddress',
        input: ({ context, event }) => ({
          find: context.findAddress,
          email: event.type === 'SUBMIT' ? event.email.trim() : '',
        }),
        onDone: { target: 'VALID', actions: ({ context, event }) => context.onAddress(event.output) },
        onError: {
          target: 'INVALID',
          actions: assign({ status: ({ event }) => statusOf(event.error) }),
        },
      },
    },
    VALID: { on: { RESET: 'IDLE' } },
    INVALID: { on: { RESET: 'IDLE' } },
  },
})

function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 0
}
