import { defaultBoxSettings } from '@boxyard/boxes'
import type { BoxRecord, BoxStore } from '@boxyard/boxes'
import { eq, notExists } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { boxes, sandboxes } from '../database/schema.ts'

/** A record as JSON holds it: dates are text. */
export type StoredBoxRecord = Omit<BoxRecord, 'lastError' | 'settings' | 'cleanNext'> &
  Partial<Pick<BoxRecord, 'settings' | 'cleanNext'>> & {
    lastError: (Omit<NonNullable<BoxRecord['lastError']>, 'at'> & { at: string }) | null
  }

/** The records of boxes in PostgreSQL. A call that resolved is committed. */
export class PostgresBoxStore implements BoxStore {
  private readonly database: Database

  constructor(database: Database) {
    this.database = database
  }

  async load(id: string): Promise<BoxRecord | null> {
    const [row] = await this.database.select().from(boxes).where(eq(boxes.id, id))
    return row ? fromStored(row.record) : null
  }

  async save(record: BoxRecord): Promise<void> {
    const values = { id: record.spec.id, record: toStored(record), updatedAt: new Date() }
    await this.database.insert(boxes).values(values).onConflictDoUpdate({ target: boxes.id, set: values })
  }

  async list(): Promise<BoxRecord[]> {
    return (await this.database.select().from(boxes)).map(({ record }) => fromStored(record))
  }

  async remove(id: string): Promise<void> {
    await this.database.delete(boxes).where(eq(boxes.id, id))
  }

  /** Ids of boxes whose sandbox never came to be, because the server ended between the two. */
  async orphans(): Promise<string[]> {
    const owner = this.database.select({ id: sandboxes.id }).from(sandboxes).where(eq(sandboxes.id, boxes.id))
    const rows = await this.database.select({ id: boxes.id }).from(boxes).where(notExists(owner))
    return rows.map(({ id }) => id)
  }
}

function toStored(record: BoxRecord): StoredBoxRecord {
  const { lastError } = record
  return { ...record, lastError: lastError === null ? null : { ...lastError, at: lastError.at.toISOString() } }
}

function fromStored(record: StoredBoxRecord): BoxRecord {
  const { lastError } = record
  return {
    ...record,
    // Records of earlier versions lack these.
    settings: record.settings ?? defaultBoxSettings,
    cleanNext: record.cleanNext ?? false,
    lastError: lastError === null ? null : { ...lastError, at: new Date(lastError.at) },
  }
}
