import { randomUUID } from 'node:crypto'
import { notifications } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'

/** Tells someone at their bell, with the change that they are told of. */
export async function addNotification(
  work: Work,
  userId: string,
  type: string,
  data: Record<string, unknown>,
): Promise<void> {
  const id = randomUUID()
  await work.tx.insert(notifications).values({ id, userId, type, data })
  await work.publish('notificationAdded', { userId, notificationId: id })
}
