import type { Queryable } from '../database/database.ts'
import { whoMaySeeBranch } from '../repositories/branchFollowers.ts'
import { whoMayWithSandbox } from '../sandboxes/sandboxFollowers.ts'
import { guestsOf } from './liveSessions.ts'

/** Those of these people who may follow what happens on a machine now: whoever may see what it belongs to, and guests. */
export async function whoMayFollowMachine(
  database: Queryable,
  userIds: readonly string[],
  vmId: string,
): Promise<ReadonlySet<string>> {
  const bySandbox = await whoMayWithSandbox(database, userIds, vmId, 'see')
  const byBranch = await whoMaySeeBranch(database, userIds, vmId)
  const guests = await guestsOf(database, vmId)
  return new Set(userIds.filter((id) => bySandbox.has(id) || byBranch.has(id) || guests.has(id)))
}
