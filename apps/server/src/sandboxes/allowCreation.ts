import { ApiError } from '@boxyard/api'
import type { User } from '../accounts/users.ts'
import { findCollections } from '../collections/collections.ts'
import type { Transaction } from '../database/database.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import { findTeams, personalTeamId } from '../workspaces/teams.ts'
import { allowPrivacy } from './changeSandboxes.ts'
import { allowLeaving, requireRoom } from './moveSandboxes.ts'
import type { Privacy, Sandbox } from './sandboxes.ts'

const PRIVATE: Privacy = 2

export interface WishedPlace {
  /** The personal workspace when absent. */
  teamId: string | null | undefined
  /** A draft when absent. */
  collectionId?: string | null | undefined
  /** Private when absent. */
  privacy: Privacy | undefined
  /** What it is a copy of, when that is a sandbox. */
  source: Sandbox | null
}

/**
 * Where a new sandbox may go, or why it may not: rights, room, and what the workspaces say about privacy and copies. The workspace
 * stays locked until the transaction ends, so that its limits hold.
 */
export async function allowCreation(
  tx: Transaction,
  author: User,
  { teamId, collectionId, privacy, source }: WishedPlace,
): Promise<Pick<Sandbox, 'teamId' | 'collectionId' | 'privacy'>> {
  const target = teamId ?? (await personalTeamId(tx, author.id))
  const { team } = await authorizeTeam(tx, target, author, 'create', { lock: true })
  if (source && source.teamId !== team.id) {
    const [from] = await findTeams(tx, [source.teamId])
    if (from) allowLeaving(source, from)
  }
  if (collectionId != null) {
    const [collection] = await findCollections(tx, [collectionId])
    if (collection?.teamId !== team.id) throw new ApiError('NOT_FOUND', { detail: 'This folder is not found' })
  }
  if (privacy !== undefined) allowPrivacy(team, privacy)
  await requireRoom(tx, team, { authorId: author.id, draft: collectionId == null, more: 1 })
  return { teamId: team.id, collectionId: collectionId ?? null, privacy: privacy ?? PRIVATE }
}
