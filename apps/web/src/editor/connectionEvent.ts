import type { ConnectionState } from '@boxyard/dev-server-client'
import type { ConnectionEvent } from './boxMachine.ts'

/** What a state of the dev server's connection means to the page; null: nothing. */
export function connectionEvent(state: ConnectionState): ConnectionEvent | null {
  switch (state.kind) {
    case 'CONNECTED':
    case 'HIBERNATED':
      return { type: state.kind }
    case 'RECONNECTING':
      return { type: 'RECONNECTING', attempt: state.attempt }
    case 'DISCONNECTED':
      return { type: 'DISCONNECTED', reason: state.reason, wasClean: state.wasClean }
    case 'IDLE':
    case 'CONNECTING':
      return null
    default:
      return state satisfies never
  }
}
