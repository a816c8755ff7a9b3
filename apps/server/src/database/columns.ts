import { timestamp } from 'drizzle-orm/pg-core'

/** A moment with a zone, to the millisecond: what JavaScript's `Date` can hold without loss. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
export const insertedAt = () => moment('inserted_at').notNull().defaultNow()
export const updatedAt = () => moment('updated_at').notNull().defaultNow()
