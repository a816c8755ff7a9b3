import { ApiError, mayDo } from '@boxyard/api'
import type { SandboxOperation } from '@boxyard/api'
import { inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'
import type { Queryable, Transaction } from '../database/database.ts'
import { sandboxes } from '../database/schema.ts'
import { findTeams } from '../workspaces/teams.ts'
import type { Team } from '../workspaces/teams.ts'
import { sandboxIdOf } from './sandboxIds.ts'
import { rolesIn } from './sandboxes.ts'
import type { Sandbox, SandboxAccess } from './sandboxes.ts'

/** Operations that are possible although the workspace is frozen. */
const reading: readonly SandboxOperation[] = ['see', 'open', 'fork', 'seeCollaborators', 'export', 'delete']

export const sandboxIdsSchema = z
  .array(z.string().max(100))
  .min(1, 'Name at least one sandbox.')
  .max(200, 'At most 200 sandboxes at once.')

export interface AuthorizedSandbox extends SandboxAccess {
  team: Team
}

/**
 * Several sandboxes, when whoever asks may do this with every one of them; nothing happens to any otherwise. They stay locked until the
 * transaction ends. With `trash` also those in the trash count.
 */
export async function authorizeSandboxes(
  tx: Transaction,
  idsOrAliases: readonly string[],
  user: Pick<User, 'id'>,
  operation: SandboxOperation,
  { trash = false }: { trash?: boolean } = {},
): Promise<AuthorizedSandbox[]> {
  const ids = [...new Set(idsOrAliases.map((text) => sandboxIdOf(text) ?? ''))]
  const rows = await tx
    .select()
    .from(sandboxes)
    .where(inArray(sandboxes.id, ids))
    // Always in the same order, so that two calls can not wait for each other.
    .orderBy(sandboxes.id)
    .for('no key update')
  const present = new Map(rows.filter(({ removedAt }) => trash || removedAt === null).map((row) => [row.id, row]))
  const list = ids.map((id) => {
    const sandbox = present.get(id)
    if (!sandbox) throw notFound()
    return sandbox
  })
  return check(tx, list, user, operation)
}

async function check(
  database: Queryable,
  list: readonly Sandbox[],
  user: Pick<User, 'id'>,
  operation: SandboxOperation,
): Promise<AuthorizedSandbox[]> {
  const roles = await rolesIn(database, list, user)
  const teams = await findTeams(database, [...new Set(list.map(({ teamId }) => teamId))])
  const teamOf = new Map(teams.map((team) => [team.id, team]))
  return list.map((sandbox, index) => {
    const role = roles[index]!
    if (!mayDo(role, 'see')) throw notFound()
    // What is in the trash is no longer anybody's to look at but its owners'.
    if (sandbox.removedAt !== null && !mayDo(role, 'delete')) throw notFound()
    if (!mayDo(role, operation)) throw new ApiError('FORBIDDEN')
    const team = teamOf.get(sandbox.teamId)!
    if (team.frozen && !reading.includes(operation)) throw new ApiError('WORKSPACE_FROZEN')
    return { sandbox, role, team }
  })
}

/** One sandbox, in the same way. */
export async function authorizeSandboxInTransaction(
  tx: Transaction,
  idOrAlias: string,
  user: Pick<User, 'id'>,
  operation: SandboxOperation,
): Promise<AuthorizedSandbox> {
  const [access] = await authorizeSandboxes(tx, [idOrAlias], user, operation)
  return access!
}

const notFound = () => new ApiError('NOT_FOUND', { detail: 'This sandbox is not found' })
