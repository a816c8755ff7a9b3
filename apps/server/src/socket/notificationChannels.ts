import type { Database } from '../database/database.ts'
import { subjectOf } from '../events/platformEvent.ts'
import type { PlatformEvent } from '../events/platformEvent.ts'
import { unreadCount } from '../notifications/notifications.ts'
import type { ChannelConnection, ChannelKind, JoinAnswer } from './channel.ts'

const TOPIC = 'notification:'

/** The channels `notification:<userId>`: the count at the bell on joining, then a push for every new notification. */
export class NotificationChannels {
  readonly #database: Database
  readonly #listening = new Map<string, Set<ChannelConnection>>()

  constructor(database: Database) {
    this.#database = database
  }

  readonly kind: ChannelKind = (topic, connection) => (topic.startsWith(TOPIC) ? this.#join(topic, connection) : null)

  /** Passes a new notification on to the one it is for. */
  async handle({ type, subject, data }: PlatformEvent): Promise<void> {
    if (type !== 'notificationAdded') return
    for (const connection of this.#listening.get(subject) ?? []) {
      const { notificationId } = data as { notificationId: string }
      connection.push('new-notification', { id: notificationId })
    }
  }

  async #join(topic: string, connection: ChannelConnection): Promise<JoinAnswer> {
    const { userId } = connection
    if (topic !== `${TOPIC}${userId}`) return { refused: { reason: 'unauthorized' } }
    const subject = subjectOf.user(userId)
    const listening = this.#listening.get(subject) ?? new Set()
    this.#listening.set(subject, listening.add(connection))
    const close = () => {
      listening.delete(connection)
      if (listening.size === 0 && this.#listening.get(subject) === listening) this.#listening.delete(subject)
    }
    try {
      // Counted after listening began: what comes in between is pushed, and counted once more at most.
      const unread = await unreadCount(this.#database, userId)
      return {
        channel: { receive: async () => ({ status: 'error', response: { reason: 'unknown event' } }), close },
        response: { unread },
      }
    } catch (error) {
      close()
      throw error
    }
  }
}
