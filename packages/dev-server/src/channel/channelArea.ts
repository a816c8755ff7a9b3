import { isSamePerson, ProtocolError, type NotificationName, type NotificationParams } from '@boxyard/protocol'
import type { Area, Connection } from '../area.ts'

/** One client can't fill the memory with names. */
const MAX_CHANNELS = 1000

/** Rooms by name in which clients talk to each other: following, and commands between windows of one person. See SPEC-areas.md. */
export function createChannelArea(): Area {
  /** Subscribers in the order they came. */
  const channels = new Map<string, Set<Connection>>()

  const idsOf = (subscribers: Iterable<Connection>): string[] => [...subscribers].map(({ client }) => client.clientId)

  const tellOthers = <N extends NotificationName>(
    subscribers: Iterable<Connection>,
    self: Connection,
    name: N,
    params: NotificationParams<N>,
  ): void => {
    for (const connection of subscribers) if (connection !== self) connection.notify(name, params)
  }

  const find = (name: string, connection: Connection): Set<Connection> => {
    const subscribers = channels.get(name)
    if (!subscribers?.has(connection)) throw new ProtocolError('CHANNEL_NOT_FOUND')
    return subscribers
  }

  const leave = (name: string, subscribers: Set<Connection>, connection: Connection): void => {
    subscribers.delete(connection)
    if (subscribers.size === 0) channels.delete(name)
    const { clientId } = connection.client
    tellOthers(subscribers, connection, 'channel/unsubscribed', { name, clientId, subscribers: idsOf(subscribers) })
  }

  return {
    handlers: {
      'channel/subscribe': ({ name }, connection) => {
        const subscribers = channels.get(name) ?? new Set()
        if (!subscribers.has(connection)) {
          const own = [...channels.values()].filter((others) => others.has(connection)).length
          if (own >= MAX_CHANNELS) {
            throw new ProtocolError('RATE_LIMIT', `You are in ${MAX_CHANNELS} channels. Leave one and try again.`)
          }
          channels.set(name, subscribers.add(connection))
          const { clientId } = connection.client
          tellOthers(subscribers, connection, 'channel/subscribed', { name, clientId, subscribers: idsOf(subscribers) })
        }
        return { subscribers: idsOf(subscribers) }
      },
      'channel/unsubscribe': ({ name }, connection) => {
        leave(name, find(name, connection), connection)
        return {}
      },
      'channel/message': ({ name, data, clients }, connection) => {
        const { clientId, username } = connection.client
        const chosen = clients && new Set(clients)
        const reached = [...find(name, connection)].filter(
          (one) => one !== connection && (!chosen || chosen.has(one.client.clientId)),
        )
        for (const one of reached) {
          one.notify('channel/message', { name, clientId, isUser: isSamePerson(one.client.username, username), data })
        }
        return { clients: idsOf(reached) }
      },
    },
    left(connection) {
      for (const [name, subscribers] of channels) if (subscribers.has(connection)) leave(name, subscribers, connection)
    },
    dispose: () => Promise.resolve(),
  }
}
