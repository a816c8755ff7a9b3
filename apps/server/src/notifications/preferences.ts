import { eq, inArray } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { notificationPreferences } from '../database/schema.ts'
import type { NotificationPreferencesRow } from './graphqlTypes.ts'

export const preferenceNames = [
  'emailCommentMention',
  'emailCommentReply',
  'emailMarketing',
  'emailNewComment',
  'emailSandboxInvite',
  'emailTeamInvite',
  'emailTeamRequest',
  'inAppPrReviewReceived',
  'inAppPrReviewRequest',
] as const
export type PreferenceName = (typeof preferenceNames)[number]
export type Preferences = Record<PreferenceName, boolean>

/** What holds for whoever chose nothing. The table has the same defaults. */
const defaults: Preferences = {
  emailCommentMention: true,
  emailCommentReply: true,
  emailMarketing: false,
  emailNewComment: true,
  emailSandboxInvite: true,
  emailTeamInvite: true,
  emailTeamRequest: true,
  inAppPrReviewReceived: true,
  inAppPrReviewRequest: true,
}

/** The preferences of each of these people. */
export async function preferencesOf(
  database: Queryable,
  userIds: readonly string[],
): Promise<Map<string, NotificationPreferencesRow>> {
  const rows = await database
    .select()
    .from(notificationPreferences)
    .where(inArray(notificationPreferences.userId, [...userIds]))
  const found = new Map(rows.map((row) => [row.userId, row]))
  return new Map(
    userIds.map((userId) => [userId, found.get(userId) ?? { userId, ...defaults, updatedAt: new Date(0) }]),
  )
}

/** Whether someone wants to hear of this kind of thing. */
export async function wants(database: Queryable, userId: string, name: PreferenceName): Promise<boolean> {
  return (await preferencesOf(database, [userId])).get(userId)![name]
}

export async function changePreferences(
  database: Queryable,
  userId: string,
  change: Partial<Preferences>,
): Promise<NotificationPreferencesRow> {
  await database.insert(notificationPreferences).values({ userId }).onConflictDoNothing()
  const [changed] = await database
    .update(notificationPreferences)
    .set({ ...change, updatedAt: new Date() })
    .where(eq(notificationPreferences.userId, userId))
    .returning()
  return changed!
}
