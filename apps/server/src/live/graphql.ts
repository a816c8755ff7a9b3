import { ApiError } from '@boxyard/api'
import { z } from 'zod'
import { userLoader } from '../accounts/loaders.ts'
import type { Builder } from '../graphql/builder.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import {
  joinSession,
  setDefaultPermission,
  setGuestPermission,
  startSession,
  stopSession,
  visibleSession,
} from './liveSessions.ts'
import { liveGuestsLoader } from './loaders.ts'

/** What the query API says about live sessions. */
export function defineLive(builder: Builder, types: GraphqlTypes): void {
  types.liveSession.implement({
    fields: (t) => ({
      defaultPermission: t.expose('defaultPermission', { type: types.liveSessionPermission, nullable: false }),
      guests: t.field({
        type: [types.liveSessionGuest],
        nullable: false,
        resolve: async ({ id, defaultPermission }, _args, context) => {
          const guests = await liveGuestsLoader(context).load(id)
          const people = await Promise.all(guests.map(({ userId }) => userLoader(context).load(userId)))
          return guests.flatMap(({ permission }, index) => {
            const user = people[index]
            return user ? [{ ...personOf(user), permission: permission ?? defaultPermission }] : []
          })
        },
      }),
      host: t.field({
        type: types.liveSessionHost,
        nullable: true,
        resolve: async ({ hostId }, _args, context) => {
          const user = hostId === null ? null : await userLoader(context).load(hostId)
          return user && personOf(user)
        },
      }),
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

  builder.queryField('getLiveSession', (t) =>
    t.field({
      type: types.liveSession,
      nullable: true,
      args: { vmId: t.arg.id({ required: true }) },
      resolve: (_root, { vmId }, { database, user }) => visibleSession(database, vmId, user),
    }),
  )

  builder.mutationFields((t) => {
    const permission = t.arg({ type: types.liveSessionPermission, required: true })
    const vmId = t.arg.id({ required: true })
    return {
      startLiveSession: t.field({
        type: types.liveSession,
        nullable: false,
        args: { defaultPermission: t.arg({ type: types.liveSessionPermission, required: true }), vmId },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          return inTransaction(context.database, user, (work) => startSession(work, user, args))
        },
      }),
      joinLiveSession: t.field({
        type: types.liveSession,
        nullable: false,
        args: { id: t.arg.id({ required: true }) },
        resolve: (_root, { id }, context) => {
          const user = requireUser(context)
          return inTransaction(context.database, user, (work) => joinSession(work, user, uuid(id)))
        },
      }),
      stopLiveSession: t.field({
        type: types.liveSession,
        nullable: false,
        args: { vmId },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          return inTransaction(context.database, user, (work) => stopSession(work, user, args.vmId))
        },
      }),
      setLiveSessionDefaultPermission: t.field({
        type: types.liveSession,
        nullable: false,
        args: { permission, vmId },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          return inTransaction(context.database, user, (work) => setDefaultPermission(work, user, args))
        },
      }),
      setLiveSessionGuestPermission: t.field({
        type: types.liveSession,
        nullable: false,
        args: { permission, userId: t.arg.id({ required: true }), vmId },
        resolve: (_root, args, context) => {
          const user = requireUser(context)
          const change = { ...args, userId: uuid(args.userId) }
          return inTransaction(context.database, user, (work) => setGuestPermission(work, user, change))
        },
      }),
    }
  })
}

function personOf(user: { id: string; username: string; avatarUrl: string | null }) {
  return { userId: user.id, username: user.username, avatarUrl: user.avatarUrl ?? '' }
}

/** An id that is none belongs to nothing. */
function uuid(id: string): string {
  const parsed = z.uuid().safeParse(id)
  if (!parsed.success) throw new ApiError('NOT_FOUND')
  return parsed.data
}
