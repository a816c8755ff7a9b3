import { sql } from 'drizzle-orm'
import type { Transaction } from '../database/database.ts'
import { events } from '../database/schema.ts'
import type { PlatformEvent } from './platformEvent.ts'

/** The channel of LISTEN and NOTIFY. A notification carries the id of an event. */
export const EVENTS_CHANNEL = 'boxyard_events'

/** Writes an event in the transaction of the command that causes it. It leaves when, and only when, that commits. */
export async function publishEvent(
  transaction: Transaction,
  event: Pick<PlatformEvent, 'type' | 'subject'> & { data: object },
): Promise<void> {
  const [row] = await transaction.insert(events).values(event).returning({ id: events.id })
  await transaction.execute(sql`select pg_notify(${EVENTS_CHANNEL}, ${String(row!.id)})`)
}
