import type { Builder } from '../graphql/builder.ts'
import type { notifications, notificationPreferences } from '../database/schema.ts'

export type NotificationRow = typeof notifications.$inferSelect
export type NotificationPreferencesRow = typeof notificationPreferences.$inferSelect

/** The types of this domain, so that others can refer to them before they have fields. */
export function notificationsTypes(builder: Builder) {
  const notification = builder.objectRef<NotificationRow>('Notification')
  const notificationPreferences = builder.objectRef<NotificationPreferencesRow>('NotificationPreferences')
  return { notification, notificationPreferences }
}
