import type { Builder } from '../graphql/builder.ts'
import type { liveSessions } from '../database/schema.ts'

export type LiveSessionPermissionValue = 'read' | 'write'
export type LiveSessionEventActionValue =
  'joined' | 'set_default_permission' | 'set_guest_permission' | 'started' | 'stopped'
export type LiveSessionRow = typeof liveSessions.$inferSelect
export interface LiveSessionGuestShape {
  avatarUrl: string
  permission: LiveSessionPermissionValue
  userId: string
  username: string
}
export interface LiveSessionHostShape {
  avatarUrl: string
  userId: string
  username: string
}
export interface LiveSessionEventShape {
  event: LiveSessionEventActionValue
  session: LiveSessionRow
}

/** The types of this domain, so that others can refer to them before they have fields. */
export function liveTypes(builder: Builder) {
  const liveSessionPermission = builder.enumType('LiveSessionPermission', {
    values: { READ: { value: 'read' }, WRITE: { value: 'write' } } satisfies Record<
      string,
      { value: LiveSessionPermissionValue }
    >,
  })
  const liveSessionEventAction = builder.enumType('LiveSessionEventAction', {
    values: {
      JOINED: { value: 'joined' },
      SET_DEFAULT_PERMISSION: { value: 'set_default_permission' },
      SET_GUEST_PERMISSION: { value: 'set_guest_permission' },
      STARTED: { value: 'started' },
      STOPPED: { value: 'stopped' },
    } satisfies Record<string, { value: LiveSessionEventActionValue }>,
  })
  const liveSession = builder.objectRef<LiveSessionRow>('LiveSession')
  const liveSessionGuest = builder.objectRef<LiveSessionGuestShape>('LiveSessionGuest')
  const liveSessionHost = builder.objectRef<LiveSessionHostShape>('LiveSessionHost')
  const liveSessionEvent = builder.objectRef<LiveSessionEventShape>('LiveSessionEvent')
  return {
    liveSessionPermission,
    liveSessionEventAction,
    liveSession,
    liveSessionGuest,
    liveSessionHost,
    liveSessionEvent,
  }
}
