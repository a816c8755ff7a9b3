import { ApiError } from '@boxyard/api'
import { and, asc, count, desc, eq, inArray } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { notifications } from '../database/schema.ts'
import type { NotificationRow } from './graphqlTypes.ts'

export interface NotificationList {
  limit: number
  types: readonly string[] | null
  orderBy: { field: string; direction: 'asc' | 'desc' } | null
}

const orderable = {
  inserted_at: notifications.insertedAt,
  insertedAt: notifications.insertedAt,
  type: notifications.type,
  read: notifications.read,
} as const

/** What someone was told and did not put away, the newest first unless they ask for another order. */
export async function notificationsOf(
  database: Queryable,
  userId: string,
  { limit, types, orderBy }: NotificationList,
): Promise<NotificationRow[]> {
  const column = orderBy ? orderable[orderBy.field as keyof typeof orderable] : notifications.insertedAt
  if (!column) throw new ApiError('INVALID_INPUT', { detail: `Notifications can not be ordered by ${orderBy!.field}` })
  return database
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        eq(notifications.archived, false),
        types === null ? undefined : inArray(notifications.type, [...types]),
      ),
    )
    .orderBy(orderBy?.direction === 'asc' ? asc(column) : desc(column), desc(notifications.id))
    .limit(limit)
}

/** The number at the bell. */
export async function unreadCount(database: Queryable, userId: string): Promise<number> {
  const [row] = await database
    .select({ count: count() })
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        eq(notifications.read, false),
        eq(notifications.archived, false),
        eq(notifications.counted, true),
      ),
    )
  return row!.count
}

export type NotificationChange = Partial<Pick<NotificationRow, 'read' | 'archived' | 'counted'>>

/** Changes one notification of someone; for anyone else it does not exist. */
export async function changeNotification(
  database: Queryable,
  userId: string,
  id: string,
  change: NotificationChange,
): Promise<NotificationRow> {
  const [changed] = await database
    .update(notifications)
    .set(change)
    .where(and(eq(notifications.id, id), eq(notifications.userId, userId)))
    .returning()
  if (!changed) throw new ApiError('NOT_FOUND', { detail: 'This notification is not found' })
  return changed
}

export async function changeAllNotifications(
  database: Queryable,
  userId: string,
  change: NotificationChange,
): Promise<void> {
  await database.update(notifications).set(change).where(eq(notifications.userId, userId))
}
