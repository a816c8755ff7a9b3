import type { LivePermission, LiveSession } from './liveSession.ts'

/** What a change of the session means for one of its guests. */
export type GuestChange = { kind: 'ended' } | { kind: 'permission'; permission: LivePermission }

/**
 * Compares the session as it was known with what it is now, for one person. Null: nothing that concerns them as a guest. A session that is
 * gone, and one that was begun anew without them, both end it for them.
 */
export function guestChange(
  before: LiveSession | null | undefined,
  now: LiveSession | null,
  userId: string,
): GuestChange | null {
  const was = guestIn(before, userId)
  if (!was) return null
  const is = guestIn(now, userId)
  if (!is) return { kind: 'ended' }
  return is.permission === was.permission ? null : { kind: 'permission', permission: is.permission }
}

function guestIn(session: LiveSession | null | undefined, userId: string) {
  return session?.guests.find((guest) => guest.userId === userId)
}
