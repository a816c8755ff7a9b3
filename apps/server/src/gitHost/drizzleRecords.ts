import { DuplicateRecord } from '@boxyard/git-host'
import type { New, Order, Records, Where } from '@boxyard/git-host'
import { and, asc, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { sqlState, UNIQUE_VIOLATION } from '../database/database.ts'
import type { Queryable } from '../database/database.ts'

type RecordTable = PgTable & { id: PgColumn }

/** Records of the local git host in a table whose columns have the names of their members. */
export function drizzleRecords<T extends { id: number }>(database: Queryable, table: RecordTable): Records<T> {
  const columns = table as unknown as Record<string, PgColumn>

  function condition(where: Where<T>): SQL | undefined {
    return and(
      ...Object.entries(where).map(([name, value]) => {
        const column = columns[name]!
        if (Array.isArray(value)) return inArray(column, value)
        return value === null ? isNull(column) : eq(column, value)
      }),
    )
  }
  const asksForNothing = (where: Where<T>) =>
    Object.values(where).some((value) => Array.isArray(value) && value.length === 0)

  return {
    async find(where, { by = 'id', descending = false, limit, offset }: Order<T> = {}) {
      if (asksForNothing(where)) return []
      const order = descending ? desc : asc
      const query = database
        .select()
        .from(table)
        .where(condition(where))
        .orderBy(order(columns[by]!), order(table.id))
        .$dynamic()
      if (limit !== undefined) query.limit(limit)
      if (offset !== undefined) query.offset(offset)
      return (await query) as unknown as T[]
    },
    async count(where) {
      if (asksForNothing(where)) return 0
      const [row] = await database.select({ total: count() }).from(table).where(condition(where))
      return row!.total
    },
    async insert(record: New<T>) {
      try {
        const rows = await database
          .insert(table)
          .values(record as Record<string, unknown>)
          .returning()
        return (rows as unknown as T[])[0]!
      } catch (error) {
        if (sqlState(error) === UNIQUE_VIOLATION) throw new DuplicateRecord()
        throw error
      }
    },
    async update(where, change) {
      if (asksForNothing(where)) return []
      const rows = await database
        .update(table)
        .set(change as Record<string, unknown>)
        .where(condition(where))
        .returning()
      return rows as unknown as T[]
    },
    async remove(where) {
      if (asksForNothing(where)) return 0
      return (await database.delete(table).where(condition(where)).returning({ id: table.id })).length
    },
  }
}
