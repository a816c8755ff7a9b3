import type { Builder } from '../graphql/builder.ts'
import { limitOf } from '../graphql/limitOf.ts'
import { defineLoader } from '../graphql/loader.ts'
import { requireUser } from '../graphql/requireUser.ts'
import type { GraphqlTypes } from '../graphql/types.ts'
import type { NotificationPreferencesRow } from './graphqlTypes.ts'
import { changeAllNotifications, changeNotification, notificationsOf } from './notifications.ts'
import type { NotificationChange } from './notifications.ts'
import { changePreferences, preferenceNames, preferencesOf } from './preferences.ts'

const preferencesLoader = defineLoader<string, NotificationPreferencesRow>(async ({ database }, userIds) => {
  const found = await preferencesOf(database, userIds)
  return userIds.map((id) => found.get(id)!)
})

/** What the query API says about notifications. */
export function defineNotifications(builder: Builder, types: GraphqlTypes): void {
  types.notification.implement({
    fields: (t) => ({
      archived: t.expose('archived', { type: 'Boolean', nullable: false }),
      data: t.string({ nullable: false, resolve: ({ data }) => JSON.stringify(data) }),
      id: t.expose('id', { type: 'UUID4', nullable: false }),
      insertedAt: t.expose('insertedAt', { type: 'NaiveDateTime', nullable: false }),
      read: t.expose('read', { type: 'Boolean', nullable: false }),
      type: t.expose('type', { type: 'String', nullable: false }),
    }),
  })

  types.notificationPreferences.implement({
    fields: (t) => ({
      emailCommentMention: t.expose('emailCommentMention', { type: 'Boolean', nullable: false }),
      emailCommentReply: t.expose('emailCommentReply', { type: 'Boolean', nullable: false }),
      emailMarketing: t.expose('emailMarketing', { type: 'Boolean', nullable: false }),
      emailNewComment: t.expose('emailNewComment', { type: 'Boolean', nullable: false }),
      emailSandboxInvite: t.expose('emailSandboxInvite', { type: 'Boolean', nullable: false }),
      emailTeamInvite: t.expose('emailTeamInvite', { type: 'Boolean', nullable: false }),
      emailTeamRequest: t.expose('emailTeamRequest', { type: 'Boolean', nullable: false }),
      inAppPrReviewReceived: t.expose('inAppPrReviewReceived', { type: 'Boolean', nullable: false }),
      inAppPrReviewRequest: t.expose('inAppPrReviewRequest', { type: 'Boolean', nullable: false }),
    }),
  })

  builder.objectFields(types.currentUser, (t) => ({
    notificationPreferences: t.field({
      type: types.notificationPreferences,
      nullable: true,
      resolve: ({ id }, _args, context) => preferencesLoader(context).load(id),
    }),
    notifications: t.field({
      type: [types.notification],
      nullable: false,
      args: {
        limit: t.arg.int(),
        orderBy: t.arg({ type: types.orderBy }),
        type: t.arg.stringList({ required: { list: false, items: false } }),
      },
      resolve: ({ id }, { limit, orderBy, type }, { database }) =>
        notificationsOf(database, id, {
          limit: limitOf(limit),
          orderBy: orderBy ?? null,
          types: type?.flatMap((name) => name ?? []) ?? null,
        }),
    }),
  }))

  builder.mutationFields((t) => {
    const notificationId = t.arg({ type: 'UUID4', required: true })
    const changing = (change: NotificationChange) =>
      t.field({
        type: types.notification,
        nullable: false,
        args: { notificationId },
        resolve: (_root, args, context) =>
          changeNotification(context.database, requireUser(context).id, args.notificationId, change),
      })
    const changingAll = (change: NotificationChange) =>
      t.field({
        type: types.user,
        nullable: false,
        resolve: async (_root, _args, context) => {
          const user = requireUser(context)
          await changeAllNotifications(context.database, user.id, change)
          return user
        },
      })
    return {
      archiveAllNotifications: changingAll({ archived: true }),
      archiveNotification: changing({ archived: true }),
      clearNotificationCount: changingAll({ counted: false }),
      markAllNotificationsAsRead: changingAll({ read: true }),
      markNotificationAsRead: changing({ read: true }),
      updateNotificationReadStatus: t.field({
        type: types.notification,
        nullable: false,
        args: { notificationId, read: t.arg.boolean({ required: true }) },
        resolve: (_root, args, context) =>
          changeNotification(context.database, requireUser(context).id, args.notificationId, { read: args.read }),
      }),
      updateNotificationPreferences: t.field({
        type: types.notificationPreferences,
        nullable: false,
        args: {
          emailCommentMention: t.arg.boolean(),
          emailCommentReply: t.arg.boolean(),
          emailMarketing: t.arg.boolean(),
          emailNewComment: t.arg.boolean(),
          emailSandboxInvite: t.arg.boolean(),
          emailTeamInvite: t.arg.boolean(),
          emailTeamRequest: t.arg.boolean(),
          inAppPrReviewReceived: t.arg.boolean(),
          inAppPrReviewRequest: t.arg.boolean(),
        },
        resolve: (_root, args, context) => {
          const given = preferenceNames.flatMap((name) => {
            const value = args[name]
            return value == null ? [] : [[name, value] as const]
          })
          return changePreferences(context.database, requireUser(context).id, Object.fromEntries(given))
        },
      }),
    }
  })
}
