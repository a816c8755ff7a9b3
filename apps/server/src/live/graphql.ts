import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'

/** What the query API says about live. */
export function defineLive(builder: Builder, types: GraphqlTypes): void {
  types.liveSession.implement({
    fields: (t) => ({
      defaultPermission: t.expose('defaultPermission', { type: types.liveSessionPermission, nullable: false }),
      id: t.expose('id', { type: 'ID', nullable: false }),
      startedAt: t.string({ nullable: false, resolve: ({ startedAt }) => startedAt.toISOString() }),
      stoppedAt: t.string({ nullable: true, resolve: ({ stoppedAt }) => stoppedAt?.toISOString() }),
      vmId: t.expose('vmId', { type: 'ID', nullable: false }),
    }),
  })

  types.liveSessionGuest.implement({
    fields: (t) => ({
      avatarUrl: t.expose('avatarUrl', { type: 'String', nullable: false }),
      permission: t.expose('permission', { type: types.liveSessionPermission, nullable: false }),
      userId: t.expose('userId', { type: 'ID', nullable: false }),
      username: t.expose('username', { type: 'String', nullable: false }),
    }),
  })

  types.liveSessionHost.implement({
    fields: (t) => ({
      avatarUrl: t.expose('avatarUrl', { type: 'String', nullable: false }),
      userId: t.expose('userId', { type: 'ID', nullable: false }),
      username: t.expose('username', { type: 'String', nullable: false }),
    }),
  })

  types.liveSessionEvent.implement({
    fields: (t) => ({
      event: t.expose('event', { type: types.liveSessionEventAction, nullable: false }),
      session: t.expose('session', { type: types.liveSession, nullable: false }),
    }),
  })
}
