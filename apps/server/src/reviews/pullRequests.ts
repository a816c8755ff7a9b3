import type {
  GitHost,
  HostComment,
  HostPull,
  HostRepository,
  HostReview,
  HostReviewComment,
  RepositoryName,
} from '@boxyard/git-host'
import { and, desc, eq, or, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { identities, pullRequests, users } from '../database/schema.ts'
import { repositoryShape } from '../repositories/repositoryShape.ts'
import type { Branch } from '../repositories/projects.ts'
import type {
  GitHubPullRequestCommentShape,
  GitHubPullRequestReviewCommentShape,
  PullRequestReviewShape,
  PullRequestShape,
} from './graphqlTypes.ts'
import type { UserRow } from '../accounts/graphqlTypes.ts'

export type PullRequestRow = typeof pullRequests.$inferSelect

const sameRepository = ({ owner, name }: RepositoryName) =>
  and(
    eq(pullRequests.provider, 'github'),
    eq(sql`lower(${pullRequests.owner})`, owner.toLowerCase()),
    eq(sql`lower(${pullRequests.name})`, name.toLowerCase()),
  )

export async function findPullRequest(
  database: Queryable,
  repository: RepositoryName,
  number: number,
): Promise<PullRequestRow | null> {
  const [row] = await database
    .select()
    .from(pullRequests)
    .where(and(sameRepository(repository), eq(pullRequests.number, number)))
  return row ?? null
}

/** The pull requests of a repository that are kept here, newest first; with a branch, those that come from it. */
export async function listPullRequests(
  database: Queryable,
  repository: RepositoryName,
  branch: Pick<Branch, 'name'> | null,
): Promise<PullRequestRow[]> {
  return database
    .select()
    .from(pullRequests)
    .where(and(sameRepository(repository), branch === null ? undefined : eq(pullRequests.headBranch, branch.name)))
    .orderBy(desc(pullRequests.number))
    .limit(100)
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
async function peopleOf(database: Queryable, accountIds: readonly number[]): Promise<Map<number, UserRow>> {
  if (accountIds.length === 0) return new Map()
  const conditions = [...new Set(accountIds)].map((id) => eq(identities.subject, String(id)))
  const rows = await database
    .select({ subject: identities.subject, user: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.provider, 'github'), or(...conditions)))
  return new Map(rows.map(({ subject, user }) => [Number(subject), user]))
}

type Association = GitHubPullRequestCommentShape['authorAssociation']
const moment = (value: Date | string) => new Date(value)
const momentOrNull = (value: Date | string | null) => (value === null ? null : new Date(value))

/** A kept pull request in the words of the query API. */
export async function pullRequestShape(
  database: Queryable,
  row: PullRequestRow,
  repository: HostRepository,
): Promise<PullRequestShape> {
  // Kept as JSON, so that moments are texts.
  const pull = row.pullRequest as unknown as HostPull
  const reviews = row.reviews as unknown as HostReview[]
  const reviewComments = row.reviewComments as unknown as HostReviewComment[]
  const comments = row.comments as unknown as HostComment[]
  const people = await peopleOf(database, [
    pull.author.id,
    ...pull.requestedReviewers.map(({ id }) => id),
    ...reviews.map(({ author }) => author.id),
    ...reviewComments.map(({ author }) => author.id),
    ...comments.map(({ author }) => author.id),
  ])
  const userOf = (id: number) => people.get(id) ?? null
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
