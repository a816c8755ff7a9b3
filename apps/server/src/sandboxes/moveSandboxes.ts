import { ApiError } from '@boxyard/api'
import { and, count, eq, isNotNull, isNull, notInArray } from 'drizzle-orm'
import type { User } from '../accounts/users.ts'
import { ensureCollection } from '../collections/ensureCollection.ts'
import type { Collection } from '../collections/collections.ts'
import type { Queryable } from '../database/database.ts'
import { sandboxes } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import { teamLimits } from '../workspaces/limits.ts'
import type { Team } from '../workspaces/teams.ts'
import { personalTeamId } from '../workspaces/teams.ts'
import { authorizeSandboxes } from './authorizeSandboxes.ts'
import { allowPrivacy, privacyOf } from './changeSandboxes.ts'
import type { Sandbox } from './sandboxes.ts'

export interface Destination {
  /** The personal one when absent. */
  teamId: string | null | undefined
  /** Null: the drafts of whoever moves them. */
  path: string | null | undefined
  privacy: number | null | undefined
}

/** Puts sandboxes into a folder or among the drafts, also of another workspace, and takes them out of the trash by that. */
export async function moveSandboxes(
  work: Work,
  user: User,
  ids: readonly string[],
  { teamId, path, privacy: wished }: Destination,
): Promise<{ moved: Sandbox[]; collection: Collection | null; team: Team }> {
  const { tx } = work
  const target = teamId ?? (await personalTeamId(tx, user.id))
  const { team } = await authorizeTeam(tx, target, user, 'create', { lock: true })
  const collection = path == null ? null : await ensureCollection(tx, team.id, path)
  const list = ids.length === 0 ? [] : await authorizeSandboxes(tx, ids, user, 'move', { trash: true })
  const privacy = wished == null ? null : privacyOf(wished)
  if (privacy !== null) allowPrivacy(team, privacy)

  for (const { sandbox, role, team: from } of list) {
    if (from.id !== team.id) allowLeaving(sandbox, from)
    if (privacy !== null && role !== 'owner') throw new ApiError('FORBIDDEN')
    if (collection === null && sandbox.authorId !== user.id) {
      throw new ApiError('FORBIDDEN', { detail: 'Only its author can make a sandbox a draft' })
    }
  }
  await requireRoom(tx, team, {
    authorId: user.id,
    draft: collection === null,
    besides: list.map(({ sandbox }) => sandbox.id),
    more: list.length,
  })

  const moved: Sandbox[] = []
  for (const { sandbox } of list) {
    const [row] = await tx
      .update(sandboxes)
      .set({
        teamId: team.id,
        collectionId: collection?.id ?? null,
        privacy: Math.max(privacy ?? sandbox.privacy, team.minimumPrivacy),
        removedAt: null,
        updatedAt: new Date(),
      })
      .where(eq(sandboxes.id, sandbox.id))
      .returning()
    moved.push(row!)
    await work.publish('sandboxChanged', { sandboxId: sandbox.id })
    await work.publish('accessChanged', { userId: null, teamId: null, sandboxId: sandbox.id })
    await auditMove(work, sandbox, row!)
  }
  return { moved, collection, team }
}

/** Writes down who may see a sandbox now that could not before, and the other way round: in both workspaces, if it left one. */
async function auditMove(work: Work, before: Sandbox, after: Sandbox): Promise<void> {
  const sandboxId = after.id
  const privacy = before.privacy === after.privacy ? {} : { privacy: after.privacy }
  if (before.teamId !== after.teamId) {
    const way = { from: before.teamId, to: after.teamId }
    await work.audit('sandbox.moved', { sandboxId, teamId: after.teamId, detail: { ...way, ...privacy } })
    await work.audit('sandbox.moved', { sandboxId, teamId: before.teamId, detail: way })
  } else if (before.removedAt !== null) {
    await work.audit('sandbox.restored', { sandboxId, teamId: after.teamId, detail: privacy })
  } else if ((before.collectionId === null) !== (after.collectionId === null) || before.privacy !== after.privacy) {
    const draft = after.collectionId === null
    await work.audit('sandbox.moved', { sandboxId, teamId: after.teamId, detail: { draft, ...privacy } })
  }
}

/** Throws when neither the sandbox nor a copy of it may leave its workspace. */
export function allowLeaving(
  sandbox: Pick<Sandbox, 'preventSandboxLeaving'>,
  from: Pick<Team, 'preventSandboxLeaving'>,
): void {
  if (!sandbox.preventSandboxLeaving && !from.preventSandboxLeaving) return
  throw new ApiError('WORKSPACE_FORBIDS', { detail: 'This sandbox may not leave its workspace' })
}

/** Throws when a workspace may not have that many more. The caller holds its lock. */
export async function requireRoom(
  database: Queryable,
  team: Team,
  want: { authorId: string | null; draft: boolean; besides?: readonly string[]; more: number },
): Promise<void> {
  const { besides = [] } = want
  const [row] = await database
    .select({ total: count() })
    .from(sandboxes)
    .where(
      and(
        eq(sandboxes.teamId, team.id),
        isNull(sandboxes.removedAt),
        want.draft
          ? and(
              isNull(sandboxes.collectionId),
              want.authorId === null ? isNull(sandboxes.authorId) : eq(sandboxes.authorId, want.authorId),
            )
          : isNotNull(sandboxes.collectionId),
        besides.length === 0 ? undefined : notInArray(sandboxes.id, [...besides]),
      ),
    )
  const limits = await teamLimits(database, team.id)
  const included = want.draft ? limits.includedDrafts : limits.includedSandboxes
  if (row!.total + want.more <= included) return
  throw new ApiError('LIMIT_REACHED', {
    detail: `You reached the maximum of ${included} ${want.draft ? 'drafts' : 'sandboxes'} in this workspace`,
  })
}
