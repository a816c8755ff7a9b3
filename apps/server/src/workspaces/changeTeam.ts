import { ApiError } from '@boxyard/api'
import { eq } from 'drizzle-orm'
import { teams } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { raisePrivacy } from '../sandboxes/raisePrivacy.ts'
import type { Team } from './teams.ts'

type Change = Partial<Omit<typeof teams.$inferInsert, 'id' | 'kind'>>

/** Changes what a workspace says about itself. */
export async function describeTeam(
  work: Work,
  team: Team,
  change: Pick<Change, 'name' | 'description' | 'useCases' | 'avatarUrl'>,
): Promise<Team> {
  return update(work, team, change)
}

/** Changes what is allowed in a workspace, and notes it. */
export async function changeTeamSettings(
  work: Work,
  team: Team,
  change: Omit<Change, 'name' | 'description' | 'useCases' | 'avatarUrl'>,
): Promise<Team> {
  await work.audit('team.settingsChanged', { teamId: team.id, detail: { ...change } })
  return update(work, team, change)
}

/** From now on nothing in the workspace is more public than this; with `updateDrafts` drafts neither. */
export async function setMinimumPrivacy(
  work: Work,
  team: Team,
  minimumPrivacy: number,
  updateDrafts: boolean,
): Promise<Team> {
  if (![0, 1, 2].includes(minimumPrivacy)) {
    throw new ApiError('INVALID_INPUT', { detail: 'The minimum privacy is 0, 1 or 2' })
  }
  const changed = await changeTeamSettings(work, team, { minimumPrivacy })
  await raisePrivacy(work, team.id, minimumPrivacy, updateDrafts)
  return changed
}

async function update(work: Work, team: Team, change: Change): Promise<Team> {
  const [changed] = await work.tx
    .update(teams)
    .set({ ...change, updatedAt: new Date() })
    .where(eq(teams.id, team.id))
    .returning()
  return changed!
}
