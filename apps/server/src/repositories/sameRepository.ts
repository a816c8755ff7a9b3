import type { RepositoryName } from '@boxyard/git-host'
import { and, eq, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import type { projects, pullRequests } from '../database/schema.ts'

/** Names at git hosts differ by more than the size of their letters. */
export function sameRepository(a: RepositoryName, b: RepositoryName): boolean {
  return a.owner.toLowerCase() === b.owner.toLowerCase() && a.name.toLowerCase() === b.name.toLowerCase()
}

/** The same for rows of a table. */
export function isOfRepository(
  table: typeof projects | typeof pullRequests,
  { owner, name }: RepositoryName,
): SQL | undefined {
  return and(
    eq(table.provider, 'github'),
    eq(sql`lower(${table.owner})`, owner.toLowerCase()),
    eq(sql`lower(${table.name})`, name.toLowerCase()),
  )
}
