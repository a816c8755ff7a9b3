import { randomUUID } from 'node:crypto'
import { ProtocolError, type NotificationParams } from '@boxyard/protocol'
import type { Area, Connection } from '../area.ts'

export interface Question {
  type: NotificationParams<'notification/notify'>['type']
  message: string
  /** Labels of what can be chosen. */
  actions?: string[]
}

export interface NotificationArea extends Area {
  /** Shows something to one client. Resolves with the chosen label; null when it was dismissed or the client left. */
  notify(connection: Connection, question: Question): Promise<string | null>
}

/** Messages the dev server shows to people, and what they chose. See SPEC-areas.md. */
export function createNotificationArea(): NotificationArea {
  const asked = new Map<
    string,
    { connection: Connection; actions: string[]; settle: (answer: string | null) => void }
  >()

  return {
    notify(connection, { type, message, actions = [] }) {
      const notificationId = randomUUID()
      const labels = actions.map((label) => ({ label }))
      return new Promise((settle) => {
        asked.set(notificationId, { connection, actions, settle })
        connection.notify('notification/notify', {
          type,
          notificationId,
          message,
          ...(labels.length > 0 && { actions: labels }),
        })
      })
    },
    handlers: {
      'notification/notifyResponse': ({ notificationId, response }, connection) => {
        const question = asked.get(notificationId)
        // Nobody answers for somebody else, and nobody chooses what was not offered.
        if (question?.connection !== connection) throw new ProtocolError('INVALID_ID', 'Unknown notification')
        if (response != null && !question.actions.includes(response)) {
          throw new ProtocolError('INVALID_PARAMS', 'response: must be one of the actions')
        }
        asked.delete(notificationId)
        question.settle(response ?? null)
        return null
      },
    },
    left(connection) {
      for (const [id, question] of asked) {
        if (question.connection !== connection) continue
        asked.delete(id)
        question.settle(null)
      }
    },
    dispose: () => Promise.resolve(),
  }
}
