import { mayDo } from '@boxyard/api'
import type { SandboxOperation } from '@boxyard/api'
import { and, eq, inArray } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { sandboxCollaborators, teamMembers } from '../database/schema.ts'
import { guestsOf } from '../live/liveSessions.ts'
import { sandboxRoleOf } from './sandboxRole.ts'
import { findSandbox } from './sandboxes.ts'

/** Those of these people who may do something with a sandbox now. Nobody, when there is no such sandbox. */
export async function whoMayWithSandbox(
  database: Queryable,
  userIds: readonly string[],
  sandboxId: string,
  operation: SandboxOperation,
): Promise<ReadonlySet<string>> {
  const sandbox = await findSandbox(database, sandboxId)
  if (!sandbox) return new Set()
  // One after the other: in a transaction there is one connection.
  const members = await database
    .select()
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, sandbox.teamId), inArray(teamMembers.userId, [...userIds])))
  const collaborators = await database
    .select()
    .from(sandboxCollaborators)
    .where(and(eq(sandboxCollaborators.sandboxId, sandbox.id), inArray(sandboxCollaborators.userId, [...userIds])))
  // Guests are let in by a session; letting others in is not theirs.
  const guests = operation === 'startLiveSession' ? new Map() : await guestsOf(database, sandbox.id)
  const authorizations = new Map(members.map(({ userId, authorization }) => [userId, authorization]))
  const shares = new Map(collaborators.map(({ userId, authorization }) => [userId, authorization]))
  const roleOf = (userId: string) =>
    sandboxRoleOf(sandbox, {
      userId,
      authorization: authorizations.get(userId),
      share: shares.get(userId),
      guest: guests.get(userId),
    })
  return new Set(userIds.filter((id) => mayDo(roleOf(id), operation)))
}
