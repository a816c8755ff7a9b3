import { branchPolicies, holdsOnBranch } from '@boxyard/api'
import type { BranchOperation, BranchRole } from '@boxyard/api'
import { and, eq, inArray } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { branches, projects, teamMembers } from '../database/schema.ts'

/** Those of these people who may do something with a branch now. Nobody, when there is no such branch. */
export async function whoMayWithBranch(
  database: Queryable,
  userIds: readonly string[],
  branchId: string,
  operation: BranchOperation,
): Promise<ReadonlySet<string>> {
  const [found] = await database
    .select({ branch: branches, teamId: projects.teamId })
    .from(branches)
    .innerJoin(projects, eq(projects.id, branches.projectId))
    .where(eq(branches.id, branchId))
  if (!found) return new Set()
  const { branch, teamId } = found
  if (!holdsOnBranch(operation, { isProtected: branch.protected, isContribution: branch.contribution }))
    return new Set()
  const members =
    teamId === null
      ? []
      : await database
          .select()
          .from(teamMembers)
          .where(and(eq(teamMembers.teamId, teamId), inArray(teamMembers.userId, [...userIds])))
  const roles = new Map<string, BranchRole>(members.map(({ userId, authorization }) => [userId, authorization]))
  if (branch.contribution && branch.ownerId !== null) {
    roles.set(branch.ownerId, branchPolicies.stronger('write', roles.get(branch.ownerId) ?? 'none'))
  }
  return new Set(userIds.filter((id) => branchPolicies.mayDo(roles.get(id) ?? 'none', operation)))
}

export function whoMaySeeBranch(
  database: Queryable,
  userIds: readonly string[],
  branchId: string,
): Promise<ReadonlySet<string>> {
  return whoMayWithBranch(database, userIds, branchId, 'see')
}
