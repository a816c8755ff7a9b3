import { ApiError } from '@boxyard/api'
import type { ProfileChange } from '@boxyard/api'
import { and, asc, count, desc, eq, inArray, isNull, sql, sum } from 'drizzle-orm'
import type { User } from '../accounts/users.ts'
import { findIdentities } from '../accounts/users.ts'
import { subscriptionsOf } from '../billing/subscriptions.ts'
import type { Queryable } from '../database/database.ts'
import { customTemplates, sandboxes, sandboxLikes, users } from '../database/schema.ts'
import { badgesOf } from '../flags/flags.ts'
import type { Badge } from '../flags/flags.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { findSandboxes, isNoBranch } from '../sandboxes/sandboxes.ts'
import type { Sandbox } from '../sandboxes/sandboxes.ts'
import { sandboxIdOf } from '../sandboxes/sandboxIds.ts'
import { personalTeamId, teamsOf } from '../workspaces/teams.ts'
import type { Team } from '../workspaces/teams.ts'

/** What everybody may see of someone, and what they did in public. */
export interface Profile {
  user: User
  githubUsername: string | null
  subscriptionSince: Date | null
  badges: Badge[]
  /** First to last. */
  featured: Sandbox[]
  personalTeamId: string
  /** Those that whoever looks is a member of, too. */
  teams: Team[]
  counts: ProfileCounts
}

export interface ProfileCounts {
  sandboxes: number
  templates: number
  views: number
  forks: number
  receivedLikes: number
  givenLikes: number
}

/** What of someone's work everybody may find. A sandbox that is moved, hidden or thrown away leaves the profile with that. */
const shownOf = (userId: string) =>
  and(eq(sandboxes.authorId, userId), eq(sandboxes.privacy, 0), isNull(sandboxes.removedAt), isNoBranch)

export async function profileOf(database: Queryable, user: User, viewer: User | null): Promise<Profile> {
  const teamId = await personalTeamId(database, user.id)
  const [identities, badges, featured, own, seen, [subscription], counts] = await Promise.all([
    findIdentities(database, user.id),
    badgesOf(database, [user.id]),
    findSandboxes(database, user.featuredSandboxIds),
    teamsOf(database, user.id),
    viewer ? teamsOf(database, viewer.id) : [],
    subscriptionsOf(database, [teamId], { includeCancelled: false }),
    countsOf(database, user.id),
  ])
  const shared = new Set(seen.map(({ id }) => id))
  const byId = new Map(featured.filter(({ privacy }) => privacy === 0).map((sandbox) => [sandbox.id, sandbox]))
  return {
    user,
    githubUsername: identities.find(({ provider }) => provider === 'github')?.login ?? null,
    subscriptionSince: subscription?.insertedAt ?? null,
    badges: (badges.get(user.id) ?? []).filter(({ visible }) => visible),
    featured: user.featuredSandboxIds.flatMap((id) => byId.get(id) ?? []),
    personalTeamId: teamId,
    teams: own.filter(({ id }) => shared.has(id)),
    counts,
  }
}

async function countsOf(database: Queryable, userId: string): Promise<ProfileCounts> {
  const [[total], [templates], [given]] = await Promise.all([
    database
      .select({
        sandboxes: count(),
        views: sum(sandboxes.viewCount).mapWith(Number),
        forks: sum(sandboxes.forkCount).mapWith(Number),
        likes: sum(sandboxes.likeCount).mapWith(Number),
      })
      .from(sandboxes)
      .where(shownOf(userId)),
    database
      .select({ total: count() })
      .from(customTemplates)
      .innerJoin(sandboxes, eq(sandboxes.id, customTemplates.sandboxId))
      .where(shownOf(userId)),
    database.select({ total: count() }).from(sandboxLikes).where(eq(sandboxLikes.userId, userId)),
  ])
  return {
    sandboxes: total!.sandboxes,
    templates: templates!.total,
    views: total!.views ?? 0,
    forks: total!.forks ?? 0,
    receivedLikes: total!.likes ?? 0,
    givenLikes: given!.total,
  }
}

const orders = {
  view_count: sandboxes.viewCount,
  like_count: sandboxes.likeCount,
  fork_count: sandboxes.forkCount,
  inserted_at: sandboxes.insertedAt,
  updated_at: sandboxes.updatedAt,
} as const
export type ProfileOrder = keyof typeof orders
export const profileOrders = Object.keys(orders) as [ProfileOrder, ...ProfileOrder[]]

/** The public sandboxes of someone. */
export async function sandboxesOfProfile(
  database: Queryable,
  userId: string,
  {
    sortBy,
    direction,
    offset,
    limit,
  }: { sortBy: ProfileOrder; direction: 'asc' | 'desc'; offset: number; limit: number },
): Promise<Sandbox[]> {
  return database
    .select()
    .from(sandboxes)
    .where(shownOf(userId))
    .orderBy(direction === 'asc' ? asc(orders[sortBy]) : desc(orders[sortBy]), asc(sandboxes.id))
    .offset(offset)
    .limit(limit)
}

/** The public sandboxes that someone likes, the newest like first. */
export async function likesOfProfile(
  database: Queryable,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Sandbox[]> {
  const rows = await database
    .select({ sandbox: sandboxes })
    .from(sandboxLikes)
    .innerJoin(sandboxes, eq(sandboxes.id, sandboxLikes.sandboxId))
    .where(and(eq(sandboxLikes.userId, userId), eq(sandboxes.privacy, 0), isNull(sandboxes.removedAt), isNoBranch))
    .orderBy(desc(sandboxLikes.insertedAt), asc(sandboxes.id))
    .offset(offset)
    .limit(limit)
  return rows.map(({ sandbox }) => sandbox)
}

/** Changes what someone shows at the top of their profile. What is absent stays as it is. */
export async function arrangeProfile(work: Work, user: User, change: ProfileChange): Promise<User> {
  const { showcased_sandbox_shortid: showcased, featured_sandboxes: featured } = change
  const featuredSandboxIds = featured && (await shownIds(work, user, featured, 'featured_sandboxes'))
  const showcasedSandboxId =
    showcased == null ? showcased : (await shownIds(work, user, [showcased], 'showcased_sandbox_shortid'))[0]
  const [changed] = await work.tx
    .update(users)
    .set({ featuredSandboxIds, showcasedSandboxId, updatedAt: sql`now()` })
    .where(eq(users.id, user.id))
    .returning()
  return changed!
}

/** The ids of these sandboxes, each once, when all of them may be on the profile. */
async function shownIds({ tx }: Work, user: User, given: readonly string[], field: string): Promise<string[]> {
  const ids = [...new Set(given.map((text) => sandboxIdOf(text) ?? text))]
  if (ids.length === 0) return []
  const found = await tx
    .select({ id: sandboxes.id })
    .from(sandboxes)
    .where(and(shownOf(user.id), inArray(sandboxes.id, ids)))
  if (found.length === ids.length) return ids
  throw new ApiError('INVALID_INPUT', { fields: { [field]: ['Only your own public sandboxes can be shown here.'] } })
}
