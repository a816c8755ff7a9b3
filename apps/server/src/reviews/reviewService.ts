import { ApiError } from '@boxyard/api'
import type { GitHost, HostRepository, RepositoryName } from '@boxyard/git-host'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import type { GitHosts } from '../repositories/gitHosts.ts'
import { limitConcurrency } from '../limitConcurrency.ts'
import { projectsOfRepository, repositoryOf, visibleProjects } from '../repositories/projects.ts'
import type { BranchEventShape, PullRequestShape } from './graphqlTypes.ts'
import {
  findPullRequest,
  keptPullRequests,
  pullRequestShape,
  pullRequestShapes,
  syncPullRequest,
} from './pullRequests.ts'
import type { PullRequestList, PullRequestRow } from './pullRequests.ts'
import { tellReviews } from './tellReviews.ts'

/** What happened to a pull request, in the words of the query API. */
export type PullEvent =
  | { kind: 'PullRequestEvent'; action: string }
  | { kind: 'PullRequestReviewEvent'; action: string; reviewId: number }
  | { kind: 'PullRequestReviewCommentEvent'; action: string; commentId: number }
  | { kind: 'PullRequestCommentEvent'; action: string; commentId: number }

/** Without webhooks a kept answer is asked for again after so long. */
const FRESH_MS = 20_000
/** Calls to the git host that one answer makes at the same time. */
const MOST_POLLS = 4

/** Pull requests and their reviews: done at the git host as the person who asks, kept here, and told to whoever looks at them. */
export class ReviewService {
  readonly #context: ServerContext
  readonly #hosts: GitHosts

  constructor(context: ServerContext, hosts: GitHosts) {
    this.#context = context
    this.#hosts = hosts
  }

  /** The host as someone who may see the repository here. Throws NOT_FOUND for whoever may not. */
  async open(user: User, name: RepositoryName): Promise<{ host: GitHost; repository: HostRepository }> {
    const { database } = this.#context
    const [project] = await visibleProjects(database, await projectsOfRepository(database, name), user)
    if (!project) throw new ApiError('NOT_FOUND', { detail: 'This repository was not imported' })
    return { host: await this.#hosts.as(user), repository: repositoryOf(project) }
  }

  /** A pull request, asked for again when nobody told of it for a while. */
  async get(user: User, name: RepositoryName, number: number): Promise<PullRequestShape> {
    const { host, repository } = await this.open(user, name)
    const kept = await findPullRequest(this.#context.database, repository, number)
    if (kept && Date.now() - kept.syncedAt.getTime() < FRESH_MS)
      return pullRequestShape(this.#context.database, kept, repository)
    return this.refresh(host, repository, number, { kind: 'PullRequestEvent', action: 'edited' })
  }

  /** Does something at the git host, then keeps what came of it and tells everyone. */
  async act<T>(
    user: User,
    name: RepositoryName,
    number: number,
    work: (host: GitHost, repository: HostRepository) => Promise<{ result: T; event: PullEvent }>,
  ): Promise<{ result: T; pullRequest: PullRequestShape }> {
    const { host, repository } = await this.open(user, name)
    const { result, event } = await work(host, repository)
    const pullRequest = await this.refresh(host, repository, number, event)
    return { result, pullRequest }
  }

  /** The number of the pull request that a line comment is on. */
  async numberOfComment(repository: RepositoryName, commentId: number): Promise<number> {
    const [rows] = await keptPullRequests(this.#context.database, [{ repository, branch: null }])
    const row = rows!.find(({ reviewComments }) => reviewComments.some(({ id }) => id === commentId))
    if (!row) throw new ApiError('NOT_FOUND', { detail: 'This comment is not found' })
    return row.number
  }

  /** Keeps the present state of a pull request and tells of `event`. */
  async refresh(
    host: GitHost,
    repository: HostRepository,
    number: number,
    event: PullEvent,
  ): Promise<PullRequestShape> {
    const { database } = this.#context
    const before = await findPullRequest(database, repository, number)
    return inTransaction(database, null, async (work) => {
      const { tx, publish } = work
      const row = await syncPullRequest(tx, host, repository, number)
      await tellReviews(work, before, row)
      const pullRequest = await pullRequestShape(tx, row, repository)
      const shape = eventShape(event, pullRequest)
      // A repetition of what everybody saw is told to nobody.
      if (!shape || (before && sameContent(before, row))) return pullRequest
      const { owner, name: repo } = repository
      const told = { ...shape } as unknown as Record<string, unknown>
      await publish('projectEvents', { owner, repo, event: told })
      for (const branchName of new Set([row.headBranch, row.baseBranch])) {
        await publish('branchEvents', { provider: 'github', owner, repo, branchName, event: told })
      }
      return pullRequest
    })
  }

  /** The pull requests of repositories or of single branches, asked for again when nobody told of them for a while. */
  async lists(user: User | null, wishes: readonly PullRequestList[]): Promise<PullRequestShape[][]> {
    const { database } = this.#context
    const present = await keptPullRequests(database, wishes)
    let host: Promise<GitHost> | null = null
    const open = () => (host ??= this.#hosts.asOptional(user))
    const polling = limitConcurrency(MOST_POLLS)
    const found = await Promise.all(
      wishes.map(async (wish, index) => {
        const kept = present[index]!
        const oldest = Math.min(...kept.map(({ syncedAt }) => syncedAt.getTime()))
        const isFresh = kept.length > 0 && Date.now() - oldest <= FRESH_MS
        const rows = user && !isFresh ? await polling(() => this.#poll(open(), wish, kept)) : kept
        return rows.map((row) => ({ row, repository: wish.repository }))
      }),
    )
    const shapes = await pullRequestShapes(database, found.flat())
    let taken = 0
    return found.map(({ length }) => shapes.slice(taken, (taken += length)))
  }

  async #poll(opening: Promise<GitHost>, wish: PullRequestList, kept: PullRequestRow[]): Promise<PullRequestRow[]> {
    const { database, log } = this.#context
    const { repository, branch, headOwner } = wish
    try {
      const host = await opening
      const head = branch === null ? {} : { head: `${headOwner ?? repository.owner}:${branch}` }
      const { items } = await host.pulls(repository, { state: branch === null ? 'open' : 'all', perPage: 50, ...head })
      for (const { number, updatedAt } of items) {
        const known = kept.find((row) => row.number === number)
        const seen =
          known && new Date((known.pullRequest as { updatedAt: string }).updatedAt).getTime() === updatedAt.getTime()
        if (!seen)
          await this.refresh(host, repository, number, {
            kind: 'PullRequestEvent',
            action: known ? 'edited' : 'opened',
          })
      }
      return (await keptPullRequests(database, [wish]))[0]!
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // What is kept is better than nothing while the host does not answer.
      log.info(
        { err: error, repository: `${repository.owner}/${repository.name}` },
        'pull requests could not be asked for',
      )
      return kept
    }
  }
}

function sameContent(a: PullRequestRow, b: PullRequestRow): boolean {
  const content = ({ pullRequest, reviews, reviewComments, comments }: PullRequestRow) =>
    JSON.stringify([pullRequest, reviews, reviewComments, comments])
  return content(a) === content(b)
}

const pullActions: ReadonlySet<string> = new Set([
  'closed',
  'converted_to_draft',
  'opened',
  'ready_for_review',
  'review_request_removed',
  'review_requested',
])

/** The event as clients get it, or null for what the query API has no word for. */
function eventShape(event: PullEvent, pullRequest: PullRequestShape): BranchEventShape | null {
  const { kind, action } = event
  if (kind === 'PullRequestEvent') {
    // Whatever else changed a pull request is told as its opening is: clients take over the whole of it.
    const known = pullActions.has(action) ? action : 'opened'
    return { __typename: kind, action: known, event: 'pull_request', pullRequest } as BranchEventShape
  }
  if (kind === 'PullRequestReviewEvent') {
    const review = pullRequest.reviews.find(({ id }) => id === event.reviewId)
    return review
      ? ({ __typename: kind, action, event: 'pull_request_review', pullRequest, review } as BranchEventShape)
      : null
  }
  const lineComments = pullRequest.reviews.flatMap(({ comments }) => comments)
  if (kind === 'PullRequestReviewCommentEvent') {
    const comment = lineComments.find(({ id }) => id === event.commentId)
    return comment
      ? ({ __typename: kind, action, event: 'pull_request_review_comment', pullRequest, comment } as BranchEventShape)
      : null
  }
  const comment = pullRequest.comments.find(({ id }) => id === event.commentId)
  return comment
    ? ({ __typename: kind, action, event: 'issue_comment', pullRequest, comment } as BranchEventShape)
    : null
}
