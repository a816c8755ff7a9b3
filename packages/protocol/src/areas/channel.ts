import { z } from 'zod'
import { method } from '../method.ts'

const name = z.string().min(1).max(500)
const clientId = z.string().min(1).max(200)
const data = z.record(z.string(), z.unknown())

export const channelMethods = {
  'channel/subscribe': method(z.object({ name }), z.object({ subscribers: z.array(clientId) })),
  'channel/unsubscribe': method(z.object({ name }), z.object({})),
  'channel/message': method(
    z.object({ name, data, clients: z.array(clientId).max(10_000).optional() }),
    z.object({ clients: z.array(clientId) }),
  ),
}

const subscription = z.object({ name, clientId, subscribers: z.array(clientId) })

export const channelNotifications = {
  'channel/subscribed': subscription,
  'channel/unsubscribed': subscription,
  /** `isUser` when the sender is another client of the same person. */
  'channel/message': z.object({ name, clientId, isUser: z.boolean(), data }),
}
