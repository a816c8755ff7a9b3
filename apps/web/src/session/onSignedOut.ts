import type { ActorRefFrom } from 'xstate'
import type { sessionMachine } from './sessionMachine.ts'

/** Calls `work` each time that somebody who was signed in no longer is. */
export function onSignedOut(session: ActorRefFrom<typeof sessionMachine>, work: () => void): void {
  let wasIn = false
  session.subscribe((state) => {
    const isIn = state.matches('AUTHENTICATED')
    if (wasIn && !isIn) work()
    wasIn = isIn
  })
}
