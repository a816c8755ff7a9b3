import { eq, sql } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { branches, projects, sandboxes, teams } from '../database/schema.ts'

const MINUTE_MS = 60_000

/** Milliseconds without use after which a machine goes to sleep, as its repository or else its workspace says; null where neither does. */
export async function idleTimeOf(database: Queryable, boxId: string): Promise<number | null> {
  const [found] = await database
    .select({ minutes: sql<number | null>`coalesce(${projects.idleMinutes}, ${teams.idleMinutes})` })
    .from(sandboxes)
    .leftJoin(branches, eq(branches.id, sandboxes.id))
    .leftJoin(projects, eq(projects.id, branches.projectId))
    .leftJoin(teams, eq(teams.id, sandboxes.teamId))
    .where(eq(sandboxes.id, boxId))
  return found?.minutes == null ? null : found.minutes * MINUTE_MS
}
