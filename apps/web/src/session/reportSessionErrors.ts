import type { ActorRefFrom } from 'xstate'
import type { SessionError, sessionMachine } from './sessionMachine.ts'

/** Tells the server about every error the session comes to. What a report can not reach is not reported again. */
export function reportSessionErrors(
  session: ActorRefFrom<typeof sessionMachine>,
  report: (error: SessionError) => Promise<unknown>,
): void {
  let last: SessionError | null = null
  session.subscribe(({ context: { error } }) => {
    if (error === last) return
    last = error
    // A server that does not answer can not be told so.
    if (error && error.code !== 'UNREACHABLE') report(error).catch((cause: unknown) => console.warn(cause))
  })
}
