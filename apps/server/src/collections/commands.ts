import { ApiError } from '@boxyard/api'
import { eq, inArray, sql } from 'drizzle-orm'
import { collections, sandboxes } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { requireRoom } from '../sandboxes/moveSandboxes.ts'
import { raisePrivacy } from '../sandboxes/raisePrivacy.ts'
import type { Team } from '../workspaces/teams.ts'
import { ancestorsOf } from './collectionPath.ts'
import { collectionsIn, findCollection, subtreeOf } from './collections.ts'
import type { Collection } from './collections.ts'
import { ensureCollection } from './ensureCollection.ts'

export async function createCollection({ tx }: Work, team: Team, path: string): Promise<Collection> {
  if (path !== '/' && (await findCollection(tx, team.id, path))) {
    throw new ApiError('CONFLICT', { detail: `There is a folder ${path} already` })
  }
  return ensureCollection(tx, team.id, path)
}

/** Deletes a folder and the folders in it. What was in them goes to the trash, so nothing is lost. */
export async function deleteCollection(work: Work, team: Team, path: string): Promise<Collection[]> {
  if (path === '/') throw new ApiError('CONFLICT', { detail: 'The root can not be deleted' })
  const ids = await requireSubtree(work, team, path)
  await moveToTrash(work, team, ids)
  await work.tx.delete(collections).where(inArray(collections.id, ids))
  return collectionsIn(work.tx, [team.id])
}

/** Moves and renames a folder with everything in it, also to another workspace. Both workspaces are locked. */
export async function renameCollection(
  work: Work,
  from: { team: Team; path: string },
  to: { team: Team; path: string },
): Promise<Collection[]> {
  const { tx } = work
  if (from.path === '/' || to.path === '/') throw new ApiError('CONFLICT', { detail: 'The root can not be moved' })
  const same = from.team.id === to.team.id
  if (same && (to.path === from.path || ancestorsOf(to.path).includes(from.path))) {
    if (to.path === from.path) return collectionsIn(tx, [from.team.id])
    throw new ApiError('CONFLICT', { detail: 'A folder can not be moved into itself' })
  }
  const moved = await requireSubtree(work, from.team, from.path)
  if (await findCollection(tx, to.team.id, to.path)) {
    throw new ApiError('CONFLICT', { detail: `There is a folder ${to.path} already` })
  }
  for (const path of ancestorsOf(to.path)) await ensureCollection(tx, to.team.id, path)
  for (const { id, path } of await subtreeOf(tx, from.team.id, from.path)) {
    const newPath = to.path + path.slice(from.path.length)
    await tx
      .update(collections)
      .set({ path: newPath, teamId: to.team.id, updatedAt: new Date() })
      .where(eq(collections.id, id))
  }
  if (!same) await moveContent(work, moved, from.team, to.team)
  return collectionsIn(tx, [to.team.id])
}

async function moveContent(work: Work, ids: readonly string[], from: Team, to: Team): Promise<void> {
  const content = await work.tx
    .update(sandboxes)
    .set({ teamId: to.id })
    .where(inArray(sandboxes.collectionId, [...ids]))
    .returning({ id: sandboxes.id, preventSandboxLeaving: sandboxes.preventSandboxLeaving })
  if (content.length > 0 && (from.preventSandboxLeaving || content.some((one) => one.preventSandboxLeaving))) {
    throw new ApiError('WORKSPACE_FORBIDS', { detail: 'Sandboxes in this folder may not leave their workspace' })
  }
  await requireRoom(work.tx, to, { authorId: null, draft: false, more: 0 })
  await raisePrivacy(work, to.id, to.minimumPrivacy, false)
  for (const { id } of content) {
    for (const teamId of [to.id, from.id]) {
      await work.audit('sandbox.moved', { sandboxId: id, teamId, detail: { from: from.id, to: to.id } })
    }
    await work.publish('accessChanged', { userId: null, teamId: null, sandboxId: id })
  }
}

/** The root keeps them, so that the workspace finds them in its trash. */
async function moveToTrash(work: Work, team: Team, ids: readonly string[]): Promise<void> {
  const root = await ensureCollection(work.tx, team.id, '/')
  const removed = await work.tx
    .update(sandboxes)
    .set({ collectionId: root.id, removedAt: sql`coalesce(${sandboxes.removedAt}, now())`, updatedAt: new Date() })
    .where(inArray(sandboxes.collectionId, [...ids]))
    .returning({ id: sandboxes.id, teamId: sandboxes.teamId })
  for (const { id, teamId } of removed) {
    await work.audit('sandbox.trashed', { sandboxId: id, teamId })
    await work.publish('accessChanged', { userId: null, teamId: null, sandboxId: id })
  }
}

async function requireSubtree({ tx }: Work, team: Team, path: string): Promise<string[]> {
  const ids = (await subtreeOf(tx, team.id, path)).map(({ id }) => id)
  if (!(await findCollection(tx, team.id, path))) {
    throw new ApiError('NOT_FOUND', { detail: `There is no folder ${path}` })
  }
  return ids
}
