import type {
  GitHost,
  HostComment,
  HostPull,
  HostRepository,
  HostReview,
  HostReviewComment,
  RepositoryName,
} from '@boxyard/git-host'
import { and, desc, eq, inArray, lte, or, sql } from 'drizzle-orm'
import type { SQL } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { placeWithin } from '../database/placeWithin.ts'
import { identities, pullRequests, users } from '../database/schema.ts'
import { repositoryShape } from '../repositories/repositoryShape.ts'
import { isOfRepository, sameRepository } from '../repositories/sameRepository.ts'
import type {
  GitHubPullRequestCommentShape,
  GitHubPullRequestReviewCommentShape,
  PullRequestReviewShape,
  PullRequestShape,
} from './graphqlTypes.ts'
import type { UserRow } from '../accounts/graphqlTypes.ts'

const MOST_OF_A_LIST = 100

export type PullRequestRow = typeof pullRequests.$inferSelect

export async function findPullRequest(
  database: Queryable,
  repository: RepositoryName,
  number: number,
): Promise<PullRequestRow | null> {
  const [row] = await database
    .select()
    .from(pullRequests)
    .where(and(isOfRepository(pullRequests, repository), eq(pullRequests.number, number)))
  return row ?? null
}

/** Which pull requests somebody wants: those of a repository, or with a branch those that come from it. */
export interface PullRequestList<Repository extends RepositoryName = HostRepository> {
  repository: Repository
  branch: string | null
  /** Whose fork the branch is in, when it is not in the repository itself. */
  headOwner?: string | null
}

/** The pull requests of each of these lists that are kept here, newest first, at most a hundred of each. */
export async function keptPullRequests(
  database: Queryable,
  lists: readonly PullRequestList<RepositoryName>[],
): Promise<PullRequestRow[][]> {
  const repository = sql<string>`lower(${pullRequests.owner}) || '/' || lower(${pullRequests.name})`
  const ofRepositories = lists.filter(({ branch }) => branch === null)
  const ofBranches = lists.filter(({ branch }) => branch !== null)
  const found = await Promise.all([
    newestOfEach(database, ofRepositories, repository),
    newestOfEach(database, ofBranches, sql`${repository}, ${pullRequests.headBranch}`),
  ])
  return lists.map((list) =>
    found[list.branch === null ? 0 : 1].filter(
      ({ owner, name, headBranch }) =>
        sameRepository({ owner, name }, list.repository) && (list.branch === null || headBranch === list.branch),
    ),
  )
}

async function newestOfEach(
  database: Queryable,
  lists: readonly PullRequestList<RepositoryName>[],
  partition: SQL,
): Promise<PullRequestRow[]> {
  if (lists.length === 0) return []
  const conditions = lists.map(({ repository, branch }) =>
    and(isOfRepository(pullRequests, repository), branch === null ? undefined : eq(pullRequests.headBranch, branch)),
  )
  const ranked = database
    .select({ id: pullRequests.id, place: placeWithin(partition, desc(pullRequests.number)) })
    .from(pullRequests)
    .where(or(...conditions))
    .as('ranked')
  const rows = await database
    .select({ row: pullRequests })
    .from(ranked)
    .innerJoin(pullRequests, eq(pullRequests.id, ranked.id))
    .where(lte(ranked.place, MOST_OF_A_LIST))
    .orderBy(desc(pullRequests.number))
  return rows.map(({ row }) => row)
}

/** Asks the git host for a pull request with everything that belongs to it, and keeps it. */
export async function syncPullRequest(
  database: Queryable,
  host: GitHost,
  repository: RepositoryName,
  number: number,
): Promise<PullRequestRow> {
  const [pull, reviews, reviewComments, comments] = await Promise.all([
    host.pull(repository, number),
    host.reviews(repository, number),
    host.reviewComments(repository, number),
    host.comments(repository, number),
  ])
  const values = {
    state: pull.merged ? 'merged' : pull.state,
    headBranch: pull.headBranch,
    baseBranch: pull.baseBranch,
    pullRequest: { ...pull } as Record<string, unknown>,
    reviews: reviews.map((review) => ({ ...review })),
    reviewComments: reviewComments.map((comment) => ({ ...comment })),
    comments: comments.map((comment) => ({ ...comment })),
    syncedAt: new Date(),
  }
  const present = await findPullRequest(database, repository, number)
  if (present) {
    const [row] = await database.update(pullRequests).set(values).where(eq(pullRequests.id, present.id)).returning()
    return row!
  }
  const { owner, name } = repository
  const [row] = await database
    .insert(pullRequests)
    .values({ id: randomUUID(), provider: 'github', owner, name, number, ...values })
    .onConflictDoNothing()
    .returning()
  return row ?? (await findPullRequest(database, repository, number))!
}

/** The people of this installation behind accounts of the git host, by the account's id there. */
export async function peopleOf(database: Queryable, accountIds: readonly number[]): Promise<Map<number, UserRow>> {
  if (accountIds.length === 0) return new Map()
  const rows = await database
    .select({ subject: identities.subject, user: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, 'github'), inArray(identities.subject, [...new Set(accountIds)].map(String))))
  return new Map(rows.map(({ subject, user }) => [Number(subject), user]))
}

type Association = GitHubPullRequestCommentShape['authorAssociation']
const moment = (value: Date | string) => new Date(value)
const momentOrNull = (value: Date | string | null) => (value === null ? null : new Date(value))

/** A row with its contents, which are kept as JSON, so that moments are texts. */
export function contentOf(row: PullRequestRow) {
  return {
    pull: row.pullRequest as unknown as HostPull,
    reviews: row.reviews as unknown as HostReview[],
    reviewComments: row.reviewComments as unknown as HostReviewComment[],
    comments: row.comments as unknown as HostComment[],
  }
}

/** A kept pull request in the words of the query API. */
export async function pullRequestShape(
  database: Queryable,
  row: PullRequestRow,
  repository: HostRepository,
): Promise<PullRequestShape> {
  return (await pullRequestShapes(database, [{ row, repository }]))[0]!
}

/** The same for several, in their order. */
export async function pullRequestShapes(
  database: Queryable,
  list: readonly { row: PullRequestRow; repository: HostRepository }[],
): Promise<PullRequestShape[]> {
  const people = await peopleOf(
    database,
    list.flatMap(({ row }) => {
      const { pull, reviews, reviewComments, comments } = contentOf(row)
      const said = [...reviews, ...reviewComments, ...comments].map(({ author }) => author.id)
      return [pull.author.id, ...pull.requestedReviewers.map(({ id }) => id), ...said]
    }),
  )
  const userOf = (id: number) => people.get(id) ?? null
  return list.map(({ row, repository }) => shapeOf(row, repository, userOf))
}

function shapeOf(
  row: PullRequestRow,
  repository: HostRepository,
  userOf: (id: number) => UserRow | null,
): PullRequestShape {
  const { pull, reviews, reviewComments, comments } = contentOf(row)
  const lineComments = reviewComments.map((comment) => reviewCommentShape(comment, userOf))
  return {
    additions: pull.additions,
    baseBranch: pull.baseBranch,
    baseRepository: repositoryShape(repository),
    body: pull.body,
    changedFiles: pull.changedFiles,
    comments: comments.map((comment) => ({
      authorAssociation: comment.authorAssociation.toLowerCase() as Association,
      body: comment.body,
      createdAt: moment(comment.createdAt),
      htmlUrl: comment.htmlUrl,
      id: comment.id,
      issueId: comment.issueId,
      updatedAt: moment(comment.updatedAt),
      user: userOf(comment.author.id),
      username: comment.author.login,
    })),
    commentsCount: pull.comments,
    commitsCount: pull.commits,
    creator: userOf(pull.author.id),
    creatorUsername: pull.author.login,
    deletions: pull.deletions,
    draft: pull.draft,
    headBranch: pull.headBranch,
    headSha: pull.headSha,
    htmlUrl: pull.htmlUrl,
    mergeable: pull.mergeable,
    mergeableStatus: pull.mergeableState,
    number: pull.number,
    prClosedAt: momentOrNull(pull.closedAt),
    prCreatedAt: moment(pull.createdAt),
    prMergedAt: momentOrNull(pull.mergedAt),
    prUpdatedAt: moment(pull.updatedAt),
    requestedReviewers: pull.requestedReviewers.map(({ id, login }) => ({
      requestedAt: null,
      user: userOf(id),
      username: login,
    })),
    requestedTeams: pull.requestedTeams.map((name) => ({ name, requestedAt: null })),
    reviewCommentsCount: pull.reviewComments,
    reviews: reviews.map((review) => reviewShape(review, lineComments, row.syncedAt, userOf)),
    state: row.state,
    title: pull.title,
  }
}

function reviewShape(
  review: HostReview,
  comments: readonly GitHubPullRequestReviewCommentShape[],
  syncedAt: Date,
  userOf: (id: number) => UserRow | null,
): PullRequestReviewShape {
  return {
    body: review.body,
    comments: comments.filter(({ pullRequestReviewId }) => pullRequestReviewId === review.id),
    id: review.id,
    state: review.state.toLowerCase() as PullRequestReviewShape['state'],
    submittedAt: momentOrNull(review.submittedAt),
    syncedAt,
    user: userOf(review.author.id),
    username: review.author.login,
  }
}

function reviewCommentShape(
  comment: HostReviewComment,
  userOf: (id: number) => UserRow | null,
): GitHubPullRequestReviewCommentShape {
  type Side = GitHubPullRequestReviewCommentShape['side']
  return {
    authorAssociation: comment.authorAssociation.toLowerCase() as Association,
    body: comment.body,
    commitId: comment.commitId,
    createdAt: moment(comment.createdAt),
    diffHunk: comment.diffHunk,
    htmlUrl: comment.htmlUrl,
    id: comment.id,
    inReplyToId: comment.inReplyToId,
    line: comment.line,
    originalCommitId: comment.originalCommitId,
    originalLine: comment.originalLine,
    originalStartLine: comment.originalStartLine,
    path: comment.path,
    pullRequestReviewId: comment.reviewId,
    side: (comment.side?.toLowerCase() ?? null) as Side,
    startLine: comment.startLine,
    startSide: (comment.startSide?.toLowerCase() ?? null) as Side,
    subjectType: comment.subjectType,
    updatedAt: moment(comment.updatedAt),
    user: userOf(comment.author.id),
    username: comment.author.login,
  }
}
