import { expect, it } from 'vitest'
import { guestChange } from './guestChange.ts'
import type { LivePermission, LiveSession } from './liveSession.ts'

const session = (guests: Readonly<Record<string, LivePermission>>): LiveSession => ({
  id: 'session',
  vmId: 'box',
  defaultPermission: 'READ',
  host: { userId: 'host', username: 'host', avatarUrl: '' },
  guests: Object.entries(guests).map(([userId, permission]) => ({
    userId,
    permission,
    username: userId,
    avatarUrl: '',
  })),
})

it('AP946: a guest hears that the session ended, and what they may do from now on', () => {
  expect(guestChange(session({ grace: 'READ' }), session({ grace: 'WRITE' }), 'grace')).toEqual({
    kind: 'permission',
    permission: 'WRITE',
  })
  expect(guestChange(session({ grace: 'WRITE' }), null, 'grace')).toEqual({ kind: 'ended' })
  expect(guestChange(session({ grace: 'WRITE' }), session({}), 'grace')).toEqual({ kind: 'ended' })
})

it('AP946: what happens to others is nothing to a guest, and the session is nothing to those who are none', () => {
  expect(guestChange(session({ grace: 'READ' }), session({ grace: 'READ', linus: 'READ' }), 'grace')).toBeNull()
  expect(guestChange(session({ grace: 'READ' }), null, 'host')).toBeNull()
  expect(guestChange(undefined, session({ grace: 'READ' }), 'grace')).toBeNull()
  expect(guestChange(null, session({ grace: 'READ' }), 'grace')).toBeNull()
})
