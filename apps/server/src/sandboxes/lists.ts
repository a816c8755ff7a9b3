import { and, asc, desc, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { ApiError } from '@boxyard/api'
import type { Queryable } from '../database/database.ts'
import { gits, sandboxCollaborators, sandboxes, sandboxText } from '../database/schema.ts'
import { isNoBranch, visibleTo } from './sandboxes.ts'
import type { Sandbox } from './sandboxes.ts'

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

/** What is in the folders of a workspace, and in its trash as far as whoever asks may take it back. */
export function teamSandboxes(
  database: Queryable,
  teamId: string,
  asking: { userId: string; isAdmin: boolean },
  filter: SandboxFilter,
): Promise<Sandbox[]> {
  const mine = eq(sandboxes.authorId, asking.userId)
  const filed = isNotNull(sandboxes.collectionId)
  return select(
    database,
    and(
      eq(sandboxes.teamId, teamId),
      filter.showDeleted ? or(mine, asking.isAdmin ? filed : undefined) : filed,
      conditions(filter),
    ),
    filter,
  )
}

/** The drafts of one person in a workspace. */
export function draftsOf(
  database: Queryable,
  teamId: string,
  userId: string,
  filter: Pick<SandboxFilter, 'orderBy' | 'limit'>,
): Promise<Sandbox[]> {
  return select(
    database,
    and(
      eq(sandboxes.teamId, teamId),
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

/** Sandboxes tied to a place in a repository that someone may see. */
export async function gitSandboxes(
  database: Queryable,
  place: typeof gits.$inferSelect,
  kind: 'base' | 'original',
  userId: string,
  teamId: string | null,
): Promise<Sandbox[]> {
  const column = kind === 'base' ? sandboxes.baseGitId : sandboxes.originalGitId
  const { username, repo, branch, path } = place
  const rows = await database
    .select({ sandbox: sandboxes })
    .from(sandboxes)
    .innerJoin(gits, eq(gits.id, column))
    .where(
      and(
        eq(gits.username, username),
        eq(gits.repo, repo),
        eq(gits.branch, branch),
        eq(gits.path, path),
        teamId === null ? undefined : eq(sandboxes.teamId, teamId),
        isNull(sandboxes.removedAt),
        visibleTo(userId),
      ),
    )
    .orderBy(desc(sandboxes.updatedAt))
    .limit(200)
  return rows.map(({ sandbox }) => sandbox)
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

/** Clients write the fields in either spelling. */
function orderColumn(field: string) {
  const key = field.replaceAll('_', '').toLowerCase()
  if (key in orderFields) return orderFields[key as keyof typeof orderFields]
  throw new ApiError('INVALID_INPUT', { detail: `Sandboxes can not be ordered by ${field.slice(0, 50)}` })
}
