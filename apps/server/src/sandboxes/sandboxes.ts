import { ApiError, mayDo } from '@boxyard/api'
import type { SandboxOperation, SandboxRole } from '@boxyard/api'
import type { AccessLevel } from '@boxyard/protocol'
import { and, count, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Placeholder, SQL } from 'drizzle-orm'
import type { User } from '../accounts/users.ts'
import { sqlState, UNIQUE_VIOLATION } from '../database/database.ts'
import type { Database, Queryable } from '../database/database.ts'
import { sandboxAccesses, sandboxCollaborators, sandboxes } from '../database/schema.ts'
import { guestPermissions } from '../live/liveSessions.ts'
import { teamLimits } from '../workspaces/limits.ts'
import { machineDefaultsOf } from '../workspaces/machineDefaults.ts'
import { memberAuthorizations } from '../workspaces/teams.ts'
import { allowCreation } from './allowCreation.ts'
import type { MachineDirectory, MachineSource } from './machineDirectory.ts'
import { sandboxRoleOf } from './sandboxRole.ts'
import { newSandboxId, sandboxIdOf } from './sandboxIds.ts'
import type { OfficialTemplate } from './templates.ts'

export type Sandbox = typeof sandboxes.$inferSelect
export type Privacy = 0 | 1 | 2
export const PRIVATE: Privacy = 2

/** Days that a deleted sandbox stays in the trash. */
export const TRASH_DAYS = 30

/** A sandbox and what someone is to it. */
export interface SandboxAccess {
  sandbox: Sandbox
  role: SandboxRole
}

/** A sandbox that is not in the trash, by id or alias. */
export async function findSandbox(database: Queryable, idOrAlias: string): Promise<Sandbox | null> {
  const id = sandboxIdOf(idOrAlias)
  const named = eq(sql`lower(${sandboxes.chosenAlias})`, idOrAlias.toLowerCase())
  const found = await database
    .select()
    .from(sandboxes)
    .where(and(id === null ? named : or(eq(sandboxes.id, id), named), isNull(sandboxes.removedAt)))
  // A chosen name may end like the id of another sandbox: the name counts.
  return found.find(({ chosenAlias }) => chosenAlias?.toLowerCase() === idOrAlias.toLowerCase()) ?? found[0] ?? null
}

/** The devboxes behind branches are listed as branches. */
export const isNoBranch = sql`not exists (select 1 from branches b where b.id = ${sandboxes.id})`

/** Those with these ids that are not in the trash. */
export async function findSandboxes(database: Queryable, ids: readonly string[]): Promise<Sandbox[]> {
  return database
    .select()
    .from(sandboxes)
    .where(and(inArray(sandboxes.id, [...ids]), isNull(sandboxes.removedAt)))
}

/** What `user`, or a visitor, is to a sandbox: the stronger of what the workspace gives and what its privacy gives everyone. */
export async function roleIn(
  database: Queryable,
  sandbox: Sandbox,
  user: Pick<User, 'id'> | null,
): Promise<SandboxRole> {
  return (await rolesIn(database, [sandbox], user))[0]!
}

/** The role in each sandbox, in their order. A draft is nothing to the rest of its workspace. */
export async function rolesIn(
  database: Queryable,
  list: readonly Sandbox[],
  user: Pick<User, 'id'> | null,
): Promise<SandboxRole[]> {
  if (!user || list.length === 0) return list.map((sandbox) => sandboxRoleOf(sandbox, null))
  const ids = list.map(({ id }) => id)
  // One after the other: in a transaction there is one connection.
  const authorizations = await memberAuthorizations(database, [...new Set(list.map(({ teamId }) => teamId))], user.id)
  const shares = await sharesOf(database, ids, user.id)
  const guests = await guestPermissions(database, ids, user.id)
  return list.map((sandbox) =>
    sandboxRoleOf(sandbox, {
      userId: user.id,
      authorization: authorizations.get(sandbox.teamId),
      share: shares.get(sandbox.id),
      guest: guests.get(sandbox.id),
    }),
  )
}

/** What someone was given in each of these sandboxes as a collaborator. */
async function sharesOf(
  database: Queryable,
  ids: readonly string[],
  userId: string,
): Promise<ReadonlyMap<string, SandboxRole>> {
  const rows = await database
    .select({ sandboxId: sandboxCollaborators.sandboxId, authorization: sandboxCollaborators.authorization })
    .from(sandboxCollaborators)
    .where(and(inArray(sandboxCollaborators.sandboxId, [...ids]), eq(sandboxCollaborators.userId, userId)))
  return new Map(rows.map(({ sandboxId, authorization }) => [sandboxId, authorization]))
}

/** The sandbox and the role of `user`; for whoever may not see it, it does not exist. */
export async function accessSandbox(
  database: Queryable,
  idOrAlias: string,
  user: Pick<User, 'id'> | null,
): Promise<SandboxAccess | null> {
  const sandbox = await findSandbox(database, idOrAlias)
  if (!sandbox) return null
  const role = await roleIn(database, sandbox, user)
  return mayDo(role, 'see') ? { sandbox, role } : null
}

/** Throws NOT_FOUND for what may not be seen and FORBIDDEN for what may not be done. */
export async function authorizeSandbox(
  database: Queryable,
  idOrAlias: string,
  user: Pick<User, 'id'> | null,
  operation: SandboxOperation,
): Promise<SandboxAccess> {
  const access = await accessSandbox(database, idOrAlias, user)
  if (!access) throw new ApiError('NOT_FOUND', { detail: 'This sandbox is not found' })
  authorize(access, operation)
  return access
}

export function authorize({ role }: SandboxAccess, operation: SandboxOperation): void {
  if (!mayDo(role, operation)) throw new ApiError('FORBIDDEN')
}

/** What a token for the dev server may carry. Files of a frozen sandbox stay as they are. */
export function devServerAccess({ sandbox, role }: SandboxAccess): AccessLevel {
  return mayDo(role, 'edit') && !sandbox.isFrozen ? 'write' : 'read'
}

/** What people start a sandbox from. */
export type ForkSource = { kind: 'template'; template: OfficialTemplate } | { kind: 'sandbox'; sandbox: Sandbox }

export interface NewDevbox {
  source:
    | ForkSource
    /** A folder on the host with the files it starts with. */
    | { kind: 'files'; folder: string; gitId?: string }
  teamId: string | null
  collectionId?: string | null | undefined
  privacy: Privacy | undefined
  title: string | undefined
}

/** Makes a devbox and notes what its machine starts from, both or neither. */
export async function createDevbox(
  database: Database,
  machines: MachineDirectory,
  author: User,
  { source, title, ...wish }: NewDevbox,
): Promise<Sandbox> {
  const values = {
    ...originOf(source),
    ...(title === undefined ? {} : { title }),
    isV2: true,
    authorId: author.id,
  }
  for (;;) {
    try {
      return await database.transaction(async (tx) => {
        const from = source.kind === 'sandbox' ? source.sandbox : null
        const place = await allowCreation(tx, author, { ...wish, source: from })
        const vmTier = await sizeOfNew(tx, from, place.teamId)
        const [sandbox] = await tx
          .insert(sandboxes)
          .values({ id: newSandboxId(), ...values, ...place, vmTier })
          .returning()
        await tx
          .insert(sandboxAccesses)
          .values({ userId: author.id, sandboxId: sandbox!.id, lastAccessedAt: new Date() })
        if (source.kind === 'sandbox') {
          await tx
            .update(sandboxes)
            .set({ forkCount: sql`${sandboxes.forkCount} + 1` })
            .where(eq(sandboxes.id, source.sandbox.id))
        }
        await machines.create(sandbox!.id, await machineSourceOf(tx, source, sandbox!, author))
        if (vmTier !== null) await machines.resize(sandbox!.id, vmTier)
        return sandbox!
      })
    } catch (error) {
      // Only the id can be taken; another one is drawn.
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    }
  }
}

/**
 * A copy has the size that was chosen for its source, else a machine has that of its workspace, as far as the plan goes; null for the usual
 * one.
 */
async function sizeOfNew(tx: Queryable, source: Sandbox | null, teamId: string): Promise<number | null> {
  const wanted = source?.vmTier ?? (await machineDefaultsOf(tx, teamId)).vmTier
  return wanted === null ? null : Math.min(wanted, (await teamLimits(tx, teamId)).includedVmTier)
}

/**
 * What is in the memory of a machine, other people's terminals included, goes to those alone who may look into the original, in its own
 * workspace.
 */
async function machineSourceOf(
  tx: Queryable,
  source: NewDevbox['source'],
  copy: Sandbox,
  author: User,
): Promise<MachineSource> {
  if (source.kind === 'sandbox') {
    const { sandbox } = source
    const memory = sandbox.teamId === copy.teamId && mayDo(await roleIn(tx, sandbox, author), 'edit')
    return { kind: 'sandbox', sandboxId: sandbox.id, memory }
  }
  if (source.kind === 'files') return source
  return { kind: 'template', name: source.template.name, folder: source.template.folder }
}

function originOf(source: NewDevbox['source']) {
  if (source.kind === 'template') return fromTemplate(source.template)
  if (source.kind === 'sandbox') return fromSandbox(source.sandbox)
  return { title: null, template: null, forkedFromId: null, ...fromGit(source.gitId) }
}

/** What began as a folder of a repository goes back to that. */
export function fromGit(gitId: string | undefined) {
  return gitId === undefined ? {} : { originalGitId: gitId, baseGitId: gitId }
}

export function fromTemplate(template: OfficialTemplate) {
  return { title: template.title, template: template.name, tags: [...template.tags], forkedFromId: null }
}

export function fromSandbox({ id, title, description, template, environment, entry, tags, ...places }: Sandbox) {
  const { originalGitId, baseGitId } = places
  const kept = { description, template, environment, entry, tags, originalGitId, baseGitId }
  return { ...kept, title: title === null ? null : `${title} (forked)`, forkedFromId: id }
}

/** Removes a sandbox and its machine for good. What is interrupted is finished when the trash is emptied. */
export async function deleteSandbox(database: Queryable, machines: MachineDirectory, id: string): Promise<void> {
  await database.update(sandboxes).set({ removedAt: new Date() }).where(eq(sandboxes.id, id))
  await machines.remove(id)
  await database.delete(sandboxes).where(eq(sandboxes.id, id))
}

/** Removes what has been in the trash long enough, machines first: what is interrupted is taken up the next time. */
export async function emptyTrash(database: Queryable, machines: MachineDirectory | null, now: Date): Promise<number> {
  const before = new Date(now.getTime() - TRASH_DAYS * 86_400_000)
  const old = await database.select({ id: sandboxes.id }).from(sandboxes).where(lt(sandboxes.removedAt, before))
  for (const { id } of old) {
    await machines?.remove(id)
    await database.delete(sandboxes).where(eq(sandboxes.id, id))
  }
  return old.length
}

/** Notes that someone opened a sandbox. */
export async function recordAccess(database: Queryable, userId: string, sandboxId: string, now: Date): Promise<void> {
  const [first] = await database
    .insert(sandboxAccesses)
    .values({ userId, sandboxId, lastAccessedAt: now })
    .onConflictDoNothing()
    .returning({ sandboxId: sandboxAccesses.sandboxId })
  if (first) {
    await database
      .update(sandboxes)
      .set({ viewCount: sql`${sandboxes.viewCount} + 1` })
      .where(eq(sandboxes.id, sandboxId))
    return
  }
  await database
    .update(sandboxAccesses)
    .set({ lastAccessedAt: now })
    .where(and(eq(sandboxAccesses.userId, userId), eq(sandboxAccesses.sandboxId, sandboxId)))
}

export interface AccessedSandbox {
  sandbox: Sandbox
  lastAccessedAt: Date
}

/** What someone opened last and may still see, newest first. */
export async function recentSandboxes(
  database: Queryable,
  userId: string,
  options: { limit: number; teamId: string | null },
): Promise<AccessedSandbox[]> {
  const rows = await database
    .select({ sandbox: sandboxes, lastAccessedAt: sandboxAccesses.lastAccessedAt })
    .from(sandboxAccesses)
    .innerJoin(sandboxes, eq(sandboxes.id, sandboxAccesses.sandboxId))
    .where(
      and(
        eq(sandboxAccesses.userId, userId),
        isNull(sandboxes.removedAt),
        isNoBranch,
        options.teamId === null ? undefined : eq(sandboxes.teamId, options.teamId),
        visibleTo(userId),
      ),
    )
    .orderBy(desc(sandboxAccesses.lastAccessedAt))
    .limit(options.limit)
  return rows
}

/** Whether someone may see a sandbox, for the condition of a query; the same as having a role in it. */
export function visibleTo(userId: string | Placeholder): SQL {
  // Arrays, since PostgreSQL asks for what they hold once and not for each row.
  return sql`(${sandboxes.privacy} <> ${PRIVATE}
    or (${sandboxes.collectionId} is not null or ${sandboxes.authorId} = ${userId}) and ${sandboxes.teamId} = any(array(
      select m.team_id from team_members m where m.user_id = ${userId} and m.authorization <> 'none'))
    or ${sandboxes.id} = any(array(
      select c.sandbox_id from sandbox_collaborators c where c.user_id = ${userId} and c.authorization <> 'none')))`
}

/** When someone opened each of these sandboxes last. */
export async function lastAccesses(
  database: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, Date>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .select()
    .from(sandboxAccesses)
    .where(and(eq(sandboxAccesses.userId, userId), inArray(sandboxAccesses.sandboxId, [...ids])))
  return new Map(rows.map(({ sandboxId, lastAccessedAt }) => [sandboxId, lastAccessedAt]))
}

/** How many devboxes came from each template. */
export async function templateForkCounts(database: Queryable): Promise<Map<string, number>> {
  const rows = await database
    .select({ template: sandboxes.template, count: count() })
    .from(sandboxes)
    .where(isNull(sandboxes.forkedFromId))
    .groupBy(sandboxes.template)
  return new Map(rows.flatMap(({ template, count }) => (template === null ? [] : [[template, count] as const])))
}

/** Names of the templates that someone made devboxes from, the last one first. */
export async function recentTemplateNames(
  database: Queryable,
  userId: string,
  teamId: string | null,
): Promise<string[]> {
  const rows = await database
    .select({ template: sandboxes.template })
    .from(sandboxes)
    .where(
      and(
        eq(sandboxes.authorId, userId),
        isNull(sandboxes.forkedFromId),
        teamId === null ? undefined : eq(sandboxes.teamId, teamId),
      ),
    )
    .groupBy(sandboxes.template)
    .orderBy(desc(sql`max(${sandboxes.insertedAt})`))
    .limit(10)
  return rows.flatMap(({ template }) => (template === null ? [] : [template]))
}
