import type { NotificationParams } from '@boxyard/protocol'
import type { NotificationsArea } from './api.ts'
import type { AreaContext } from './areaSync.ts'
import { isConnectionFailure } from './areaSync.ts'
import { Emitter } from './event.ts'

/** What the dev server shows to this person, and what they choose. */
export class Notifications implements NotificationsArea {
  readonly #context: AreaContext
  readonly #notifyEmitter = new Emitter<NotificationParams<'notification/notify'>>()
  readonly #dismissEmitter = new Emitter<string>()

  readonly onDidNotify = this.#notifyEmitter.event
  readonly onDidDismiss = this.#dismissEmitter.event

  constructor(context: AreaContext) {
    this.#context = context
    const { connection } = context
    connection.onNotification('notification/notify', (notification) => this.#notifyEmitter.fire(notification))
    connection.onNotification('notification/dismiss', ({ notificationId }) => this.#dismissEmitter.fire(notificationId))
  }

  respond(notificationId: string, label: string | null): void {
    const { connection, reportFailure } = this.#context
    connection.request('notification/notifyResponse', { notificationId, response: label }).catch((error: Error) => {
      // A dev server that has ended asks nobody any more.
      if (!isConnectionFailure(error)) reportFailure({ area: 'notification', error })
    })
  }
}
