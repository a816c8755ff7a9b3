import { ApiError } from '@boxyard/api'
import type { TeamRole } from '@boxyard/api'
import { and, count, eq, ne } from 'drizzle-orm'
import { teamInvitations, teamMembers, teamRequests } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { teamLimits } from './limits.ts'
import type { Team } from './teams.ts'

export interface MemberChange {
  userId: string
  authorization: TeamRole
  teamManager?: boolean | null | undefined
}

/** Lets someone in. Whoever is a member already stays what they are. The caller holds the lock of the workspace. */
export async function addMember(work: Work, team: Team, userId: string, authorization: TeamRole): Promise<void> {
  if (team.kind === 'personal') {
    throw new ApiError('CONFLICT', { detail: 'A personal workspace has one member' })
  }
  const { tx } = work
  const present = await tx
    .select({ authorization: teamMembers.authorization })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, team.id), eq(teamMembers.userId, userId)))
  const [total] = await tx.select({ members: count() }).from(teamMembers).where(eq(teamMembers.teamId, team.id))
  const { includedMembers } = await teamLimits(tx, team.id)
  if (present.length === 0 && total!.members >= includedMembers) {
    throw new ApiError('LIMIT_REACHED', {
      detail: `You reached the maximum of ${includedMembers} members in this workspace`,
    })
  }
  if (present.length === 0) {
    await tx.insert(teamMembers).values({ teamId: team.id, userId, authorization })
    await work.audit('member.added', { teamId: team.id, userId, detail: { authorization } })
  }
  await tx.delete(teamInvitations).where(and(eq(teamInvitations.teamId, team.id), eq(teamInvitations.userId, userId)))
  await tx.delete(teamRequests).where(and(eq(teamRequests.teamId, team.id), eq(teamRequests.userId, userId)))
  await work.publish('accessChanged', { userId, teamId: team.id, sandboxId: null })
}

/** Changes several members at once, all or none. The last administrator stays one. */
export async function changeMembers(work: Work, team: Team, changes: readonly MemberChange[]): Promise<void> {
  for (const { userId, authorization, teamManager } of changes) {
    const changed = await work.tx
      .update(teamMembers)
      .set({ authorization, ...(teamManager == null ? {} : { teamManager }) })
      .where(and(eq(teamMembers.teamId, team.id), eq(teamMembers.userId, userId)))
      .returning({ userId: teamMembers.userId })
    if (changed.length === 0) throw new ApiError('NOT_FOUND', { detail: 'This person is no member of the workspace' })
    await work.audit('member.changed', { teamId: team.id, userId, detail: { authorization, teamManager } })
    await work.publish('accessChanged', { userId, teamId: team.id, sandboxId: null })
  }
  await requireAdministrator(work, team)
}

/** Ends a membership: `left` by the person, or `removed` by an administrator. */
export async function endMembership(work: Work, team: Team, userId: string, how: 'left' | 'removed'): Promise<void> {
  if (team.kind === 'personal') throw new ApiError('CONFLICT', { detail: 'A personal workspace can not be left' })
  const removed = await work.tx
    .delete(teamMembers)
    .where(and(eq(teamMembers.teamId, team.id), eq(teamMembers.userId, userId)))
    .returning({ userId: teamMembers.userId })
  if (removed.length === 0) throw new ApiError('NOT_FOUND', { detail: 'This person is no member of the workspace' })
  await requireAdministrator(work, team)
  await work.audit(`member.${how}`, { teamId: team.id, userId })
  await work.publish('accessChanged', { userId, teamId: team.id, sandboxId: null })
}

/** The workspace that someone sees first. */
export async function setPrimaryTeam(work: Work, team: Team, userId: string): Promise<void> {
  await work.tx
    .update(teamMembers)
    .set({ isPrimary: false })
    .where(and(eq(teamMembers.userId, userId), ne(teamMembers.teamId, team.id)))
  await work.tx
    .update(teamMembers)
    .set({ isPrimary: true })
    .where(and(eq(teamMembers.userId, userId), eq(teamMembers.teamId, team.id)))
}

async function requireAdministrator({ tx }: Work, team: Team): Promise<void> {
  const administrators = await tx
    .select({ userId: teamMembers.userId })
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, team.id), eq(teamMembers.authorization, 'admin')))
    .limit(1)
  if (administrators.length === 0) throw new ApiError('LAST_ADMIN')
}
