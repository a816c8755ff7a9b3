import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { ApiError } from '@boxyard/api'
import type { Queryable } from '../database/database.ts'
import { placeWithin } from '../database/placeWithin.ts'
import { defineStatements } from '../database/statement.ts'
import { gits, sandboxCollaborators, sandboxes, sandboxText } from '../database/schema.ts'
import { selectionOfSandbox } from './sandboxColumns.ts'
import type { SandboxColumn } from './sandboxColumns.ts'
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
  /** What is needed of each; everything unless it is said. */
  columns?: readonly SandboxColumn[] | null
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

const directions = { asc, desc }

/** What is in the folders of workspaces, and in their trash as far as whoever asks may take it back. The limit is for each of them. */
export function teamSandboxes(
  database: Queryable,
  teamIds: readonly string[],
  asking: { userId: string; adminOf: readonly string[] },
  filter: SandboxFilter,
): Promise<Sandbox[]> {
  return listOfTeams(database, shapeOf('team', filter), { ...valuesOf(filter), ...asking, teamIds })
}

/** The drafts of one person in workspaces. The limit is for each of them. */
export function draftsOf(
  database: Queryable,
  teamIds: readonly string[],
  userId: string,
  filter: Pick<SandboxFilter, 'orderBy' | 'limit' | 'columns'>,
): Promise<Sandbox[]> {
  return listOfTeams(database, shapeOf('drafts', filter), { ...valuesOf(filter), userId, adminOf: [], teamIds })
}

/** Everything someone made and still has access to, drafts included. */
export function sandboxesBy(database: Queryable, userId: string, filter: SandboxFilter): Promise<Sandbox[]> {
  return listOfPerson(database, shapeOf('made', filter), { ...valuesOf(filter), userId })
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
  const ranked = database
    .select({
      gitId: asked.id,
      sandboxId: sql<string>`${sandboxes.id}`.as('sandbox_id'),
      place: placeWithin(asked.id, desc(sandboxes.updatedAt)),
    })
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
  const words = text.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  if (words.length === 0) return []
  // Only letters and digits are left, so nothing in it is an operator.
  const query = words
    .map((word, index) => {
      const end = index === words.length - 1 ? ':*' : ''
      return `(${spellings(word)
        .map((spelling) => `${spelling}${end}`)
        .join(' | ')})`
    })
    .join(' & ')
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

/** A database without a language makes only the letters of ASCII small, so that other words are kept as they were written. */
function spellings(word: string): string[] {
  const small = word.toLowerCase()
  if (/^[a-z0-9]*$/.test(small)) return [small]
  const [first = ''] = small
  return [...new Set([word, small, small.toUpperCase(), first.toUpperCase() + small.slice(first.length)])]
}

/** What decides the text of a statement; everything else is a value in it. */
interface ListShape extends Pick<SandboxFilter, 'alwaysOn' | 'hasOriginalGit' | 'showDeleted' | 'columns'> {
  of: 'made' | 'team' | 'drafts'
  byAuthor: boolean
  order: keyof typeof orderFields
  direction: 'asc' | 'desc'
}

interface ListValues extends Record<string, unknown> {
  userId: string
  authorId: string | null
  limit: number
}

interface TeamListValues extends ListValues {
  teamIds: readonly string[]
  adminOf: readonly string[]
}

function shapeOf(of: ListShape['of'], filter: SandboxFilter): ListShape {
  const { alwaysOn, authorId, hasOriginalGit, showDeleted, orderBy, columns } = filter
  const order = orderBy ? orderField(orderBy.field) : 'updatedat'
  const direction = orderBy?.direction === 'asc' ? 'asc' : 'desc'
  return { of, byAuthor: authorId != null, order, direction, alwaysOn, hasOriginalGit, showDeleted, columns }
}

function valuesOf({ authorId, limit }: SandboxFilter): Pick<ListValues, 'authorId' | 'limit'> {
  return { authorId: authorId ?? null, limit }
}

const given = {
  user: sql.placeholder('userId'),
  author: sql.placeholder('authorId'),
  teams: sql.placeholder('teamIds'),
  administered: sql.placeholder('adminOf'),
  limit: sql.placeholder('limit'),
}

function conditions({ of, alwaysOn, byAuthor, hasOriginalGit, showDeleted }: ListShape): SQL | undefined {
  const mine = eq(sandboxes.authorId, given.user)
  const filed = isNotNull(sandboxes.collectionId)
  const inTeams = sql`${sandboxes.teamId} = any(${given.teams})`
  const restorable = or(mine, and(filed, sql`${sandboxes.teamId} = any(${given.administered})`))
  return and(
    of === 'made' ? and(mine, visibleTo(given.user)) : inTeams,
    of === 'drafts' ? and(mine, isNull(sandboxes.collectionId)) : undefined,
    of === 'team' ? (showDeleted ? restorable : filed) : undefined,
    showDeleted ? isNotNull(sandboxes.removedAt) : isNull(sandboxes.removedAt),
    alwaysOn == null ? undefined : eq(sandboxes.alwaysOn, alwaysOn),
    byAuthor ? eq(sandboxes.authorId, given.author) : undefined,
    hasOriginalGit == null
      ? undefined
      : hasOriginalGit
        ? isNotNull(sandboxes.originalGitId)
        : isNull(sandboxes.originalGitId),
    isNoBranch,
  )
}

const listOfPerson = defineStatements<ListShape, ListValues, Sandbox[]>('sandboxes made', (database, shape) =>
  database
    .select(selectionOfSandbox(shape.columns))
    .from(sandboxes)
    .where(conditions(shape))
    .orderBy(directions[shape.direction](orderFields[shape.order]), asc(sandboxes.id))
    .limit(given.limit),
)

/** The limit is for each workspace. */
const rowsOfTeams = defineStatements<ListShape, TeamListValues, { sandbox: Sandbox }[]>(
  'sandboxes of teams',
  (database, shape) => {
    const column = directions[shape.direction](orderFields[shape.order])
    const ranked = database
      .select({ id: sandboxes.id, place: placeWithin(sandboxes.teamId, column, sandboxes.id) })
      .from(sandboxes)
      .where(conditions(shape))
      .as('ranked')
    return database
      .select({ sandbox: selectionOfSandbox(shape.columns) })
      .from(ranked)
      .innerJoin(sandboxes, eq(sandboxes.id, ranked.id))
      .where(lte(ranked.place, given.limit))
      .orderBy(asc(ranked.place))
  },
)

async function listOfTeams(database: Queryable, shape: ListShape, values: TeamListValues): Promise<Sandbox[]> {
  return (await rowsOfTeams(database, shape, values)).map(({ sandbox }) => sandbox)
}

/** Clients write the fields in either spelling. */
function orderField(field: string): keyof typeof orderFields {
  const key = field.replaceAll('_', '').toLowerCase()
  if (Object.hasOwn(orderFields, key)) return key as keyof typeof orderFields
  throw new ApiError('INVALID_INPUT', { detail: `Sandboxes can not be ordered by ${field.slice(0, 50)}` })
}
