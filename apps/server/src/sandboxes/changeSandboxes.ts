import { ApiError } from '@boxyard/api'
import { inArray, sql } from 'drizzle-orm'
import { sandboxes } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import type { AuthorizedSandbox } from './authorizeSandboxes.ts'
import type { Privacy, Sandbox } from './sandboxes.ts'

type Change = OrUndefined<
  Pick<
    Sandbox,
    | 'title'
    | 'description'
    | 'isFrozen'
    | 'preventSandboxExport'
    | 'preventSandboxLeaving'
    | 'aiConsent'
    | 'alwaysOn'
    | 'tags'
    | 'externalResources'
    | 'vmTier'
    | 'chosenAlias'
  >
>

type OrUndefined<T> = { [Key in keyof T]?: T[Key] | undefined }

/** Who may change, export or move a sandbox follows from these as well, so that their changes are written down. */
const protections = ['isFrozen', 'preventSandboxExport', 'preventSandboxLeaving'] as const

/** Changes sandboxes alike and tells whoever looks at them. */
export async function changeSandboxes(
  work: Work,
  list: readonly AuthorizedSandbox[],
  change: Change,
): Promise<Sandbox[]> {
  const detail = Object.fromEntries(protections.flatMap((name) => (name in change ? [[name, change[name]]] : [])))
  if (Object.keys(detail).length > 0) {
    for (const { sandbox } of list) {
      await work.audit('sandbox.protectionChanged', { sandboxId: sandbox.id, teamId: sandbox.teamId, detail })
    }
  }
  return update(work, list, change)
}

/** Changes who may see sandboxes; never to more than their workspace allows. */
export async function setPrivacy(
  work: Work,
  list: readonly AuthorizedSandbox[],
  privacy: number | null | undefined,
): Promise<Sandbox[]> {
  if (privacy == null) return list.map(({ sandbox }) => sandbox)
  const valid = privacyOf(privacy)
  for (const { team } of list) allowPrivacy(team, valid)
  const changed = await update(work, list, { privacy: valid })
  for (const { id, teamId } of changed) {
    await work.audit('sandbox.privacyChanged', { sandboxId: id, teamId, detail: { privacy: valid } })
    await work.publish('accessChanged', { userId: null, teamId: null, sandboxId: id })
  }
  return changed
}

export function privacyOf(number: number): Privacy {
  if (number !== 0 && number !== 1 && number !== 2) {
    throw new ApiError('INVALID_INPUT', { detail: 'The privacy is 0, 1 or 2' })
  }
  return number
}

/** Throws when a workspace wants more privacy than this. */
export function allowPrivacy(team: { minimumPrivacy: number }, privacy: number): void {
  if (privacy >= team.minimumPrivacy) return
  const least = team.minimumPrivacy === 2 ? 'private' : 'unlisted or private'
  throw new ApiError('WORKSPACE_FORBIDS', { detail: `Sandboxes of this workspace have to be ${least}` })
}

/** Moves sandboxes to the trash, where they stay for a while. */
export async function trashSandboxes(work: Work, list: readonly AuthorizedSandbox[]): Promise<Sandbox[]> {
  const changed = await update(work, list, { removedAt: new Date() })
  for (const { id, teamId } of changed) {
    await work.audit('sandbox.trashed', { sandboxId: id, teamId })
    await work.publish('accessChanged', { userId: null, teamId: null, sandboxId: id })
  }
  return changed
}

/** Removes sandboxes for good. Their machines are removed once this has committed. */
export async function removeSandboxes(work: Work, list: readonly AuthorizedSandbox[]): Promise<Sandbox[]> {
  for (const { sandbox } of list) {
    if (sandbox.removedAt === null) {
      throw new ApiError('CONFLICT', { detail: 'Only what is in the trash can be deleted permanently' })
    }
    await work.audit('sandbox.removed', {
      sandboxId: sandbox.id,
      teamId: sandbox.teamId,
      detail: { title: sandbox.title },
    })
  }
  await work.tx.delete(sandboxes).where(
    inArray(
      sandboxes.id,
      list.map(({ sandbox }) => sandbox.id),
    ),
  )
  return list.map(({ sandbox }) => sandbox)
}

/** Counts a change of the files, so that copies of them are known to be old. */
export async function incrementVersion(work: Work, { sandbox }: AuthorizedSandbox): Promise<void> {
  await work.tx
    .update(sandboxes)
    .set({ version: sql`${sandboxes.version} + 1`, updatedAt: new Date() })
    .where(inArray(sandboxes.id, [sandbox.id]))
  await work.publish('sandboxChanged', { sandboxId: sandbox.id })
}

async function update(
  work: Work,
  list: readonly AuthorizedSandbox[],
  change: Change & { privacy?: Privacy; removedAt?: Date },
): Promise<Sandbox[]> {
  const ids = list.map(({ sandbox }) => sandbox.id)
  const rows = await work.tx
    .update(sandboxes)
    .set({ ...change, updatedAt: new Date() })
    .where(inArray(sandboxes.id, ids))
    .returning()
  for (const id of ids) await work.publish('sandboxChanged', { sandboxId: id })
  if (change.isFrozen !== undefined) {
    for (const id of ids) await work.publish('accessChanged', { userId: null, teamId: null, sandboxId: id })
  }
  const changed = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => changed.get(id) ?? [])
}
