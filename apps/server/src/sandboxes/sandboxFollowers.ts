import { mayDo, strongerRole } from '@boxyard/api'
import type { SandboxRole } from '@boxyard/api'
import { and, eq, inArray } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { teamMembers } from '../database/schema.ts'
import { findSandbox } from './sandboxes.ts'

/** Those of these people who may see the sandbox now. */
export async function whoMaySeeSandbox(
  database: Queryable,
  userIds: readonly string[],
  sandboxId: string,
): Promise<ReadonlySet<string>> {
  const sandbox = await findSandbox(database, sandboxId)
  if (!sandbox) return new Set()
  const members = await database
    .select()
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, sandbox.teamId), inArray(teamMembers.userId, [...userIds])))
  const authorizations = new Map(members.map(({ userId, authorization }) => [userId, authorization]))
  const everyone: SandboxRole = sandbox.privacy === 2 ? 'none' : 'read'
  return new Set(
    userIds.filter((id) => {
      const authorization = authorizations.get(id)
      const own = authorization === undefined ? 'none' : authorization === 'admin' ? 'owner' : authorization
      return mayDo(strongerRole(everyone, own), 'see')
    }),
  )
}
