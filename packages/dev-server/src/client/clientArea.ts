import type { NotificationParams } from '@boxyard/protocol'
import type { Area, Connection, Connections } from '../area.ts'

/** Why somebody is not here any more. */
export type LeaveReason = NotificationParams<'client/disconnected'>['reason']

/** Who is here: the list, and who comes and goes. Joining itself is the admission's. */
export function createClientArea(connections: Connections, reasonOf: (connection: Connection) => LeaveReason): Area {
  return {
    handlers: {
      'client/list': () => [...connections.all()].map(({ client }) => client),
    },
    joined(connection) {
      connections.broadcast('client/connected', connection.client, {
        except: connection,
        only: ({ subscriptions }) => subscriptions.client?.status === true,
      })
    },
    left(connection) {
      const reason = reasonOf(connection)
      connections.broadcast(
        'client/disconnected',
        { clientId: connection.client.clientId, reason },
        { only: ({ subscriptions }) => subscriptions.client?.status === true },
      )
    },
    dispose: () => Promise.resolve(),
  }
}
