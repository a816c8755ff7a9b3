import type { Area, Connections } from '../area.ts'

/** Who is here: the list, and who comes and goes. Joining itself is the admission's. */
export function createClientArea(connections: Connections, isStopping: () => boolean): Area {
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
      const reason = isStopping() ? 'PitcherShutdown' : 'Disconnect'
      connections.broadcast(
        'client/disconnected',
        { clientId: connection.client.clientId, reason },
        { only: ({ subscriptions }) => subscriptions.client?.status === true },
      )
    },
    dispose: () => Promise.resolve(),
  }
}
