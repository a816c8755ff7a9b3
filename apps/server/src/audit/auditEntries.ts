import { and, desc, eq, lt } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { auditEntries } from '../database/schema.ts'

export type AuditEntry = typeof auditEntries.$inferSelect

export interface AuditPage {
  /** Only what happened in this workspace. */
  teamId?: string | undefined
  /** Only what happened before. */
  before?: Date | undefined
  limit: number
}

/** Who changed access, membership, secrets and the bill, the newest first. */
export async function readAudit(database: Queryable, { teamId, before, limit }: AuditPage): Promise<AuditEntry[]> {
  return database
    .select()
    .from(auditEntries)
    .where(
      and(
        teamId === undefined ? undefined : eq(auditEntries.teamId, teamId),
        before === undefined ? undefined : lt(auditEntries.at, before),
      ),
    )
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(limit)
}
