import { z } from 'zod'
import { method } from '../method.ts'

const notificationId = z.string().min(1).max(200)

export const notificationMethods = {
  /** The label of the chosen action; nil when it was dismissed. */
  'notification/notifyResponse': method(
    z.object({ notificationId, response: z.string().max(1000).nullish() }),
    z.null(),
  ),
}

export const notificationNotifications = {
  'notification/notify': z.object({
    type: z.enum(['info', 'warning', 'error']),
    notificationId,
    message: z.string(),
    actions: z.array(z.object({ label: z.string() })).optional(),
  }),
  'notification/dismiss': z.object({ notificationId }),
}
