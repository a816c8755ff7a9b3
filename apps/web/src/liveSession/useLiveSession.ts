import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useApp } from '../App.ts'
import { guestChange } from './guestChange.ts'
import type { GuestChange } from './guestChange.ts'
import { liveEventsDocument, liveSessionOf } from './liveSession.ts'
import type { LiveSession } from './liveSession.ts'

/** The session that runs on a devbox, kept true while the page is open, and what its changes mean for a guest. Nobody who isn't signed in sees one. */
export function useLiveSession(
  vmId: string,
  { userId, onGuestChange }: { userId: string | null; onGuestChange: (change: GuestChange) => void },
): LiveSession | null {
  const app = useApp()
  const options = liveSessionOf(app, vmId)
  const { data: session } = useQuery({ ...options, enabled: userId !== null })
  const refresh = useEffectEvent(() => void app.queries.invalidateQueries({ queryKey: options.queryKey }))
  useEffect(() => {
    if (userId === null) return undefined
    return app.live.follow({
      document: liveEventsDocument,
      variables: { vmId },
      // Also that they may not follow it any more.
      onEvent: () => refresh(),
      onFollowed: () => refresh(),
    })
  }, [app, vmId, userId])

  const known = useRef<LiveSession | null | undefined>(undefined)
  const tell = useEffectEvent(onGuestChange)
  useEffect(() => {
    if (session === undefined || userId === null) return
    const change = guestChange(known.current, session, userId)
    known.current = session
    if (change) tell(change)
  }, [session, userId])
  return session ?? null
}
