import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { ApiError } from '@boxyard/api'
import type { Queryable } from '../database/database.ts'
import { gits, sandboxCollaborators, sandboxes, sandboxText } from '../database/schema.ts'
import { isNoBranch, visibleTo } from './sandboxes.ts'
import type { Sandbox } from './sandboxes.ts'

const MOST_OF_A_PLACE = 200

export interface SandboxOrder {
  field: string
  direction: 'asc' | 'desc'
}

export interface SandboxFilter {
  alwaysOn?: boolean | null | undefined
  authorId?: string | null | undefined
  hasOriginalGit?: boolean | null | undefined
  /** Those in the trash instead of the others. */
  showDeleted?: boolean | null | undefined
  orderBy?: SandboxOrder | null | undefined
  limit: number
}

const orderFields = {
  title: sql`lower(${sandboxes.title})`,
  insertedat: sandboxes.insertedAt,
  updatedat: sandboxes.updatedAt,
  removedat: sandboxes.removedAt,
  viewcount: sandboxes.viewCount,
  likecount: sandboxes.likeCount,
  forkcount: sandboxes.forkCount,
  privacy: sandboxes.privacy,
} as const

/** What is in the folders of workspaces, and in their trash as far as whoever asks may take it back. The limit is for each of them. */
export function teamSandboxes(
  database: Queryable,
  teamIds: readonly string[],
  asking: { userId: string; adminOf: readonly string[] },
  filter: SandboxFilter,
): Promise<Sandbox[]> {
  const mine = eq(sandboxes.authorId, asking.userId)
  const filed = isNotNull(sandboxes.collectionId)
  return selectOfEach(
    database,
    and(
      inArray(sandboxes.teamId, [...teamIds]),
      filter.showDeleted ? or(mine, and(filed, inArray(sandboxes.teamId, [...asking.adminOf]))) : filed,
      conditions(filter),
    ),
    filter,
  )
}

/** The drafts of one person in workspaces. The limit is for each of them. */
export function draftsOf(
  database: Queryable,
  teamIds: readonly string[],
  userId: string,
  filter: Pick<SandboxFilter, 'orderBy' | 'limit'>,
): Promise<Sandbox[]> {
  return selectOfEach(
    database,
    and(
      inArray(sandboxes.teamId, [...teamIds]),
      eq(sandboxes.authorId, userId),
      isNull(sandboxes.collectionId),
      isNull(sandboxes.removedAt),
    ),
    filter,
  )
}

/** Everything someone made and still has access to, drafts included. */
export function sandboxesBy(database: Queryable, userId: string, filter: SandboxFilter): Promise<Sandbox[]> {
  return select(database, and(eq(sandboxes.authorId, userId), visibleTo(userId), conditions(filter)), filter)
}

/** What others shared with someone. */
export async function sharedWith(database: Queryable, userId: string, limit: number): Promise<Sandbox[]> {
  const rows = await database
    .select({ sandbox: sandboxes })
    .from(sandboxCollaborators)
    .innerJoin(sandboxes, eq(sandboxes.id, sandboxCollaborators.sandboxId))
    .where(
      and(
        eq(sandboxCollaborators.userId, userId),
        ne(sandboxCollaborators.authorization, 'none'),
        isNull(sandboxes.removedAt),
      ),
    )
    .orderBy(desc(sandboxCollaborators.insertedAt))
    .limit(limit)
  return rows.map(({ sandbox }) => sandbox)
}

/** Sandboxes tied to the places in repositories that these rows name, as far as someone may see them. */
export async function gitSandboxes(
  database: Queryable,
  gitIds: readonly string[],
  kind: 'base' | 'original',
  userId: string,
  teamId: string | null,
): Promise<{ gitId: string; sandbox: Sandbox }[]> {
  const column = kind === 'base' ? sandboxes.baseGitId : sandboxes.originalGitId
  const asked = alias(gits, 'asked')
  const place = sql`row_number() over (partition by ${asked.id} order by ${sandboxes.updatedAt} desc)`
  const ranked = database
    .select({ gitId: asked.id, sandboxId: sql<string>`${sandboxes.id}`.as('sandbox_id'), place: place.as('place') })
    .from(asked)
    .innerJoin(
      gits,
      and(
        eq(gits.username, asked.username),
        eq(gits.repo, asked.repo),
        eq(gits.branch, asked.branch),
        eq(gits.path, asked.path),
      ),
    )
    .innerJoin(sandboxes, eq(column, gits.id))
    .where(
      and(
        inArray(asked.id, [...gitIds]),
        teamId === null ? undefined : eq(sandboxes.teamId, teamId),
        isNull(sandboxes.removedAt),
        visibleTo(userId),
      ),
    )
    .as('ranked')
  return database
    .select({ gitId: ranked.gitId, sandbox: sandboxes })
    .from(ranked)
    .innerJoin(sandboxes, eq(sandboxes.id, ranked.sandboxId))
    .where(lte(ranked.place, MOST_OF_A_PLACE))
    .orderBy(asc(ranked.place))
}

/** What someone may find in a workspace by words of the title, the description and tags; the beginning of the last word is enough. */
export async function searchSandboxes(
  database: Queryable,
  userId: string,
  teamId: string,
  text: string,
  limit: number,
): Promise<Sandbox[]> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) return []
  // Only letters and digits are left, so nothing in it is an operator.
  const query = words.map((word, index) => (index === words.length - 1 ? `${word}:*` : word)).join(' & ')
  const vector = sandboxText(sandboxes)
  return database
    .select()
    .from(sandboxes)
    .where(
      and(
        eq(sandboxes.teamId, teamId),
        isNull(sandboxes.removedAt),
        visibleTo(userId),
        isNoBranch,
        or(
          sql`${vector} @@ to_tsquery('simple', ${query})`,
          sql`${text.trim().toLowerCase()} = any(${sandboxes.tags})`,
        ),
      ),
    )
    .orderBy(sql`ts_rank(${vector}, to_tsquery('simple', ${query})) desc`, desc(sandboxes.updatedAt))
    .limit(limit)
}

function conditions({ alwaysOn, authorId, hasOriginalGit, showDeleted }: SandboxFilter): SQL | undefined {
  return and(
    showDeleted ? isNotNull(sandboxes.removedAt) : isNull(sandboxes.removedAt),
    alwaysOn == null ? undefined : eq(sandboxes.alwaysOn, alwaysOn),
    authorId == null ? undefined : eq(sandboxes.authorId, authorId),
    hasOriginalGit == null
      ? undefined
      : hasOriginalGit
        ? isNotNull(sandboxes.originalGitId)
        : isNull(sandboxes.originalGitId),
  )
}

function select(
  database: Queryable,
  condition: SQL | undefined,
  { orderBy, limit }: Pick<SandboxFilter, 'orderBy' | 'limit'>,
): Promise<Sandbox[]> {
  const direction = orderBy?.direction === 'asc' ? asc : desc
  return database
    .select()
    .from(sandboxes)
    .where(and(condition, isNoBranch))
    .orderBy(direction(orderBy ? orderColumn(orderBy.field) : sandboxes.updatedAt), asc(sandboxes.id))
    .limit(limit)
}

/** The same with the limit for each workspace. */
async function selectOfEach(
  database: Queryable,
  condition: SQL | undefined,
  { orderBy, limit }: Pick<SandboxFilter, 'orderBy' | 'limit'>,
): Promise<Sandbox[]> {
  const column = orderBy ? orderColumn(orderBy.field) : sandboxes.updatedAt
  const direction = orderBy?.direction === 'asc' ? asc(column) : desc(column)
  const place = sql`row_number() over (partition by ${sandboxes.teamId} order by ${direction}, ${sandboxes.id})`
  const ranked = database
    .select({ id: sandboxes.id, place: place.as('place') })
    .from(sandboxes)
    .where(and(condition, isNoBranch))
    .as('ranked')
  const rows = await database
    .select({ sandbox: sandboxes })
    .from(ranked)
    .innerJoin(sandboxes, eq(sandboxes.id, ranked.id))
    .where(lte(ranked.place, limit))
    .orderBy(asc(ranked.place))
  return rows.map(({ sandbox }) => sandbox)
}

/** Clients write the fields in either spelling. */
function orderColumn(field: string) {
  const key = field.replaceAll('_', '').toLowerCase()
  if (key in orderFields) return orderFields[key as keyof typeof orderFields]
  throw new ApiError('INVALID_INPUT', { detail: `Sandboxes can not be ordered by ${field.slice(0, 50)}` })
}
