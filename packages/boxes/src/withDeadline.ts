import { setTimeout as delay } from 'node:timers/promises'
import { BoxError } from './errors.ts'

/** The outcome of `work`, or DEADLINE with `what` when it is not there in time. */
export async function withDeadline<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  const giveUp = new AbortController()
  work.catch(() => undefined)
  const late = delay(ms, undefined, { signal: giveUp.signal }).then(() => {
    throw new BoxError('DEADLINE', what)
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    giveUp.abort()
  }
}
