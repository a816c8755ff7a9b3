import type { DevServerClient, Disposable } from '@boxyard/dev-server-client'
import type { NoticeStore } from '@boxyard/ui'

/** Shows what the dev server tells this person, and tells it what they chose. The first sentence is the title. */
export function showNotifications(
  { notifications }: Pick<DevServerClient, 'notifications'>,
  notices: Pick<NoticeStore, 'add' | 'dismiss'>,
): Disposable {
  const shown = notifications.onDidNotify(({ notificationId, type, message, actions = [] }) => {
    const [title = message, ...rest] = message.split(/(?<=\.) /)
    notices.add({
      uniqueName: notificationId,
      tone: type,
      title,
      ...(rest.length > 0 && { body: rest.join(' ') }),
      actions: actions.map(({ label }) => ({
        label,
        perform: () => {
          notices.dismiss(notificationId)
          notifications.respond(notificationId, label)
        },
      })),
    })
    // Nobody waits for a choice where there is none.
    if (actions.length === 0) notifications.respond(notificationId, null)
  })
  const gone = notifications.onDidDismiss((notificationId) => notices.dismiss(notificationId))
  return {
    dispose() {
      shown.dispose()
      gone.dispose()
    },
  }
}
