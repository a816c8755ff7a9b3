import type { Builder } from '../graphql/builder.ts'
import type { GraphqlTypes } from '../graphql/types.ts'

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
}
