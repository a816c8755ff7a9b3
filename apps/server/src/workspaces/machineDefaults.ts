import { ApiError } from '@boxyard/api'
import { eq } from 'drizzle-orm'
import type { Queryable } from '../database/database.ts'
import { teams } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { changeTeamSettings } from './changeTeam.ts'
import { teamLimits } from './limits.ts'
import type { Team } from './teams.ts'

/** What machines of a workspace are like where nothing else is chosen for one; null for what the server does with every machine. */
export type MachineDefaults = Pick<Team, 'vmTier' | 'idleMinutes'>

export async function machineDefaultsOf(database: Queryable, teamId: string): Promise<MachineDefaults> {
  const [found] = await database
    .select({ vmTier: teams.vmTier, idleMinutes: teams.idleMinutes })
    .from(teams)
    .where(eq(teams.id, teamId))
  return found ?? { vmTier: null, idleMinutes: null }
}

/** Machines that are made from then on have the size; those that start from then on sleep after the time. */
export async function changeMachineDefaults(work: Work, team: Team, change: Partial<MachineDefaults>): Promise<Team> {
  if (change.vmTier != null) {
    const { includedVmTier } = await teamLimits(work.tx, team.id)
    if (change.vmTier > includedVmTier)
      throw new ApiError('LIMIT_REACHED', { detail: `You reached the maximum of tier ${includedVmTier} in this plan` })
  }
  return changeTeamSettings(work, team, change)
}
