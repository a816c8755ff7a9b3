import { ApiError } from '@boxyard/api'
import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { sandboxes, teamMembers, teams, users } from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import type { User } from './users.ts'

/** Days between the wish to delete an account and its end, in which the wish can be taken back. */
export const DELETION_DAYS = 14

/** Notes that someone wants their account deleted. Nothing is lost until it is due. */
export async function requestDeletion(work: Work, user: User): Promise<void> {
  const left = await teamsWithoutOtherAdministrator(work, user.id)
  if (left.length > 0) {
    throw new ApiError('LAST_ADMIN', {
      detail: `You are the only administrator of ${left.map(({ name }) => name).join(', ')}`,
    })
  }
  const deletionDueAt = new Date(Date.now() + DELETION_DAYS * 86_400_000)
  await work.tx.update(users).set({ deletionRequested: true, deletionDueAt }).where(eq(users.id, user.id))
  await work.audit('account.deletionRequested', { userId: user.id })
  await work.mail('accountDeletion', { userId: user.id, email: user.email, dueAt: deletionDueAt.toISOString() })
}

export async function cancelDeletion(work: Work, user: User): Promise<void> {
  await work.tx.update(users).set({ deletionRequested: false, deletionDueAt: null }).where(eq(users.id, user.id))
  await work.audit('account.deletionCancelled', { userId: user.id })
}

/**
 * Deletes the accounts whose time has come, each with its personal workspace and what is in it. What someone made in other workspaces
 * stays there. Returns the devboxes whose machines are to be removed.
 */
export async function deleteDueAccounts(database: Database, now: Date): Promise<string[]> {
  const due = await database
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.deletionRequested, true), lte(users.deletionDueAt, now)))
  const devboxes: string[] = []
  for (const { id } of due) {
    devboxes.push(
      ...(await inTransaction(database, null, async (work) => {
        const { tx } = work
        const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update')
        // Taken back between the look and the lock.
        if (!user?.deletionRequested || user.deletionDueAt === null || user.deletionDueAt > now) return []
        const personal = tx
          .select({ id: teams.id })
          .from(teams)
          .where(and(eq(teams.creatorId, id), eq(teams.kind, 'personal')))
        const removed = await tx
          .delete(sandboxes)
          .where(
            or(
              inArray(sandboxes.teamId, personal),
              // Nobody else would ever find a draft.
              and(eq(sandboxes.authorId, id), isNull(sandboxes.collectionId)),
            ),
          )
          .returning({ id: sandboxes.id, isV2: sandboxes.isV2 })
        await tx.delete(teams).where(and(eq(teams.creatorId, id), eq(teams.kind, 'personal')))
        await tx.delete(users).where(eq(users.id, id))
        await work.audit('account.deleted', { userId: id })
        return removed.filter(({ isV2 }) => isV2).map((sandbox) => sandbox.id)
      })),
    )
  }
  return devboxes
}

/** Workspaces with other members that nobody would administer any more. */
async function teamsWithoutOtherAdministrator({ tx }: Work, userId: string) {
  const own = await tx
    .select({ id: teams.id, name: teams.name })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(and(eq(teamMembers.userId, userId), eq(teamMembers.authorization, 'admin'), eq(teams.kind, 'team')))
  const members =
    own.length === 0
      ? []
      : await tx
          .select()
          .from(teamMembers)
          .where(
            inArray(
              teamMembers.teamId,
              own.map(({ id }) => id),
            ),
          )
  return own.filter(({ id }) => {
    const others = members.filter((member) => member.teamId === id && member.userId !== userId)
    return others.length > 0 && !others.some(({ authorization }) => authorization === 'admin')
  })
}
