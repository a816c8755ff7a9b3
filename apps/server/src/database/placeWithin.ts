import { sql } from 'drizzle-orm'
import type { SQL, SQLWrapper } from 'drizzle-orm'

/** The place of a row among those that have `of` in common, from 1: what a limit for each of several lists is compared with. */
export function placeWithin(of: SQLWrapper, ...order: SQLWrapper[]): SQL.Aliased<number> {
  return sql<number>`row_number() over (partition by ${of} order by ${sql.join(order, sql`, `)})`.as('place')
}
