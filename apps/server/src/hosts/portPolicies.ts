import { mayDo } from '@boxyard/api'
import type { PortVisibility, SandboxRole } from '@boxyard/api'
import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import type { PreviewRight } from '../edge/previewAccess.ts'
import type { Queryable } from '../database/database.ts'
import { portPolicies } from '../database/schema.ts'

/** Stands for every port that has no row of its own. */
export const EVERY_PORT = 0

/** Who may look at a port: what was chosen for it, else for all ports, else null, and the privacy of the sandbox decides. */
export async function visibilityOf(
  database: Queryable,
  sandboxId: string,
  port: number,
): Promise<PortVisibility | null> {
  const [row] = await database
    .select({ visibility: portPolicies.visibility })
    .from(portPolicies)
    .where(and(eq(portPolicies.sandboxId, sandboxId), inArray(portPolicies.port, [EVERY_PORT, port])))
    .orderBy(desc(portPolicies.port))
    .limit(1)
  return row?.visibility ?? null
}

export function listPortPolicies(
  database: Queryable,
  sandboxId: string,
): Promise<{ port: number; visibility: PortVisibility }[]> {
  return database
    .select({ port: portPolicies.port, visibility: portPolicies.visibility })
    .from(portPolicies)
    .where(eq(portPolicies.sandboxId, sandboxId))
    .orderBy(asc(portPolicies.port))
}

/** Chooses who may look at a port; null takes the choice back. */
export async function setPortVisibility(
  database: Queryable,
  sandboxId: string,
  port: number,
  visibility: PortVisibility | null,
): Promise<void> {
  if (visibility === null) {
    await database.delete(portPolicies).where(and(eq(portPolicies.sandboxId, sandboxId), eq(portPolicies.port, port)))
    return
  }
  const values = { sandboxId, port, visibility, updatedAt: new Date() }
  await database
    .insert(portPolicies)
    .values(values)
    .onConflictDoUpdate({ target: [portPolicies.sandboxId, portPolicies.port], set: values })
}

/** What somebody may do with a preview. `role` is theirs in the sandbox; `isMember` whether they belong to its workspace. */
export function portRight(visibility: PortVisibility | null, role: SandboxRole, isMember: boolean): PreviewRight {
  if (mayDo(role, 'edit') && (visibility !== 'private' || role === 'owner')) return 'write'
  switch (visibility) {
    case 'public':
      return 'read'
    case 'workspace':
      return isMember && mayDo(role, 'open') ? 'read' : 'none'
    case 'private':
      return 'none'
    case null:
      return mayDo(role, 'open') ? 'read' : 'none'
  }
}
