import { hasInvisible } from '@boxyard/api'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { User } from '../accounts/users.ts'
import { teamMembers, teams } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import type { Team } from './teams.ts'

export const teamNameSchema = z
  .string()
  .trim()
  .min(1, 'Give it a name.')
  .max(60, 'At most 60 characters.')
  .refine((name) => !hasInvisible(name), { error: 'Leave out characters that can not be seen.' })

export async function createTeam(work: Work, creator: User, name: string): Promise<Team> {
  const [team] = await work.tx
    .insert(teams)
    .values({ id: randomUUID(), kind: 'team', name, creatorId: creator.id })
    .returning()
  await work.tx.insert(teamMembers).values({ teamId: team!.id, userId: creator.id, authorization: 'admin' })
  await work.audit('team.created', { teamId: team!.id, detail: { name } })
  return team!
}
