import { ApiError } from '@boxyard/api'
import { eq } from 'drizzle-orm'
import { sandboxes, teams } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import type { Team } from './teams.ts'

/**
 * Deletes a workspace and everything in it, the trash included. Returns the ids of the devboxes whose machines are to be removed once
 * this has committed; what is left of them after a crash goes at the next start of the server.
 */
export async function deleteTeam(work: Work, team: Team): Promise<string[]> {
  if (team.kind === 'personal') {
    throw new ApiError('CONFLICT', { detail: 'A personal workspace goes with its account only' })
  }
  const removed = await work.tx
    .delete(sandboxes)
    .where(eq(sandboxes.teamId, team.id))
    .returning({ id: sandboxes.id, isV2: sandboxes.isV2 })
  await work.tx.delete(teams).where(eq(teams.id, team.id))
  await work.audit('team.deleted', { teamId: team.id, detail: { name: team.name, sandboxes: removed.length } })
  await work.publish('accessChanged', { userId: null, teamId: team.id, sandboxId: null })
  return removed.filter(({ isV2 }) => isV2).map(({ id }) => id)
}
