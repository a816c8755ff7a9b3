import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { StoredBoxRecord } from '../../machines/postgresBoxStore.ts'
import { updatedAt } from '../columns.ts'

/** What is kept about each box, as one document: the service over the drivers reads and replaces it as a whole. */
export const boxes = pgTable('boxes', {
  id: text('id').primaryKey(),
  record: jsonb('record').$type<StoredBoxRecord>().notNull(),
  updatedAt: updatedAt(),
})
