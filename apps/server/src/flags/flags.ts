import { ApiError, installationPolicies, installationRoleOf } from '@boxyard/api'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { User } from '../accounts/users.ts'
import type { Queryable } from '../database/database.ts'
import {
  badges,
  featureFlags,
  surveyAnswers,
  teamFeatureFlags,
  userBadges,
  userFeatureFlags,
  users,
} from '../database/schema.ts'
import type { Work } from '../outbox/unitOfWork.ts'

/** Every flag as it is for each of these people: what they were given, else what holds for everyone. */
export async function userFlags(
  database: Queryable,
  userIds: readonly string[],
): Promise<Map<string, Record<string, boolean>>> {
  const [all, own] = await Promise.all([
    database.select().from(featureFlags),
    database
      .select()
      .from(userFeatureFlags)
      .where(inArray(userFeatureFlags.userId, [...userIds])),
  ])
  return new Map(
    userIds.map((id) => [
      id,
      flagsFor(
        all,
        own.filter(({ userId }) => userId === id),
      ),
    ]),
  )
}

/** The same for workspaces. */
export async function teamFlags(
  database: Queryable,
  teamIds: readonly string[],
): Promise<Map<string, Record<string, boolean>>> {
  const [all, own] = await Promise.all([
    database.select().from(featureFlags),
    database
      .select()
      .from(teamFeatureFlags)
      .where(inArray(teamFeatureFlags.teamId, [...teamIds])),
  ])
  return new Map(
    teamIds.map((id) => [
      id,
      flagsFor(
        all,
        own.filter(({ teamId }) => teamId === id),
      ),
    ]),
  )
}

interface Flag {
  name: string
  enabled: boolean
}

function flagsFor(all: readonly Flag[], own: readonly Flag[]): Record<string, boolean> {
  return Object.fromEntries([...all, ...own].map(({ name, enabled }) => [name, enabled]))
}

export interface FlagChange {
  name: string
  enabled: boolean
  description?: string | undefined
  /** For one person or one workspace; for everyone when neither is given. */
  userId?: string | undefined
  teamId?: string | undefined
}

/** Turns a flag on or off. It comes to be when it is first set for everyone. */
export async function setFlag(work: Work, user: User, change: FlagChange): Promise<void> {
  installationPolicies.authorize(installationRoleOf(user), 'changeFeatureFlags')
  const { name, enabled, description, userId, teamId } = change
  await work.audit('flag.changed', {
    ...(userId ? { userId } : {}),
    ...(teamId ? { teamId } : {}),
    detail: { name, enabled },
  })
  if (userId === undefined && teamId === undefined) {
    await work.tx
      .insert(featureFlags)
      .values({ name, enabled, description: description ?? name })
      .onConflictDoUpdate({
        target: featureFlags.name,
        set: { enabled, updatedAt: new Date(), ...(description === undefined ? {} : { description }) },
      })
    return
  }
  const known = await work.tx.select().from(featureFlags).where(eq(featureFlags.name, name))
  if (known.length === 0) throw new ApiError('NOT_FOUND', { detail: 'This feature flag is not found' })
  if (userId !== undefined) {
    await work.tx
      .insert(userFeatureFlags)
      .values({ name, userId, enabled })
      .onConflictDoUpdate({ target: [userFeatureFlags.userId, userFeatureFlags.name], set: { enabled } })
  }
  if (teamId !== undefined) {
    await work.tx
      .insert(teamFeatureFlags)
      .values({ name, teamId, enabled })
      .onConflictDoUpdate({ target: [teamFeatureFlags.teamId, teamFeatureFlags.name], set: { enabled } })
  }
}

export interface Badge {
  id: string
  name: string
  visible: boolean
}

/** The badges of each of these people. */
export async function badgesOf(database: Queryable, userIds: readonly string[]): Promise<Map<string, Badge[]>> {
  const rows = await database
    .select({ userId: userBadges.userId, id: badges.id, name: badges.name, visible: userBadges.visible })
    .from(userBadges)
    .innerJoin(badges, eq(badges.id, userBadges.badgeId))
    .where(inArray(userBadges.userId, [...userIds]))
    .orderBy(asc(userBadges.insertedAt))
  return new Map(
    userIds.map((id) => [id, rows.filter(({ userId }) => userId === id).map(({ userId: _userId, ...badge }) => badge)]),
  )
}

/** Whether a badge shows on its owner's profile. */
export async function setBadgeVisible(work: Work, user: User, badgeId: string, visible: boolean): Promise<void> {
  const changed = await work.tx
    .update(userBadges)
    .set({ visible })
    .where(and(eq(userBadges.userId, user.id), eq(userBadges.badgeId, badgeId)))
    .returning()
  if (changed.length === 0) throw new ApiError('NOT_FOUND', { detail: 'This badge is not found' })
}

export async function giveBadge(
  work: Work,
  user: User,
  { id, name, userId }: { id: string; name: string; userId: string },
): Promise<void> {
  installationPolicies.authorize(installationRoleOf(user), 'giveBadges')
  await requirePerson(work, userId)
  await work.tx.insert(badges).values({ id, name }).onConflictDoUpdate({ target: badges.id, set: { name } })
  await work.tx.insert(userBadges).values({ userId, badgeId: id }).onConflictDoNothing()
}

/** Makes someone a curator, or ends that. */
export async function setCurator(work: Work, user: User, userId: string, isCurator: boolean): Promise<void> {
  installationPolicies.authorize(installationRoleOf(user), 'appointCurators')
  await requirePerson(work, userId)
  await work.tx
    .update(users)
    .set({ curatorAt: isCurator ? new Date() : null })
    .where(eq(users.id, userId))
  await work.audit(isCurator ? 'curator.appointed' : 'curator.dismissed', { userId })
}

async function requirePerson({ tx }: Work, userId: string): Promise<void> {
  const found = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId))
  if (found.length === 0) throw new ApiError('NOT_FOUND', { detail: 'This user is not found' })
}

/** Notes that someone was asked how they like it here, so that they are not asked again. */
export async function markSurveySeen(work: Work, user: User): Promise<void> {
  await work.tx.update(users).set({ surveySeenAt: new Date() }).where(eq(users.id, user.id))
}

export async function answerSurvey(work: Work, user: User, answers: Record<string, unknown>): Promise<void> {
  await work.tx.insert(surveyAnswers).values({ id: randomUUID(), userId: user.id, answers })
  await work.tx
    .update(users)
    .set({ surveySeenAt: new Date(), surveyAnsweredAt: new Date() })
    .where(eq(users.id, user.id))
}

/** Which experiments someone takes part in. */
export async function setExperiments(work: Work, user: User, experiments: Record<string, boolean>): Promise<void> {
  await work.tx.update(users).set({ experiments }).where(eq(users.id, user.id))
}
