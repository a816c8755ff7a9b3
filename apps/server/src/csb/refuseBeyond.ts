import { ApiError } from '@boxyard/api'

/** Refuses one machine more than `most`, so that people can still open theirs. */
export function refuseBeyond(most: number, running: number): void {
  if (running < most) return
  throw new ApiError('RATE_LIMITED', { detail: `At most ${most} machines run at a time. Hibernate one and try again.` })
}
