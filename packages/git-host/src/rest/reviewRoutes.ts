import { z } from 'zod'
import { diffHunkOf } from '../git/fileDiffs.ts'
import { isCommitId, isTreePath } from '../git/names.ts'
import { emitPull } from '../pulls/afterRefChanges.ts'
import { pullRange } from '../pulls/pullOperations.ts'
import { allows, permissionOf } from '../repositories/permissions.ts'
import type { PullRecord, RepositoryRecord, ReviewCommentRecord, ReviewState, Side } from '../repositories/records.ts'
import type { RepositoryStorage } from '../repositories/repositoryStorage.ts'
import type { GitAccount } from '../storage.ts'
import { openPull } from './pullRoutes.ts'
import { parse } from './restApi.ts'
import type { OpenRepository, RestApi } from './restApi.ts'
import { RestError } from './restError.ts'

const text = z.string().min(1).max(65_536)
const side = z.enum(['LEFT', 'RIGHT'])
const lineComment = z.object({
  path: z.string().refine(isTreePath, 'is not a path'),
  body: text,
  line: z.number().int().min(1),
  side: side.default('RIGHT'),
  start_line: z.number().int().min(1).nullish(),
  start_side: side.nullish(),
})
type LineComment = z.infer<typeof lineComment>
const newReview = z.object({
  body: z.string().max(65_536).nullish(),
  event: z.enum(['APPROVE', 'COMMENT', 'REQUEST_CHANGES']).default('COMMENT'),
  commit_id: z.string().refine(isCommitId).nullish(),
  comments: z.array(lineComment).max(200).default([]),
})
const states = {
  APPROVE: 'APPROVED',
  COMMENT: 'COMMENTED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
} as const satisfies Record<string, ReviewState>

const PULL = '/repos/:owner/:repo/pulls/:number'
type OpenPull = OpenRepository & { pull: PullRecord }

/** Reviews, line comments and their replies, comments on the whole, and who is asked to review. */
export function registerReviewRoutes(api: RestApi): void {
  const { app, parts, present } = api
  const { storage } = parts

  /** Writes something about a pull request and tells the hooks, then looks for deliveries. */
  async function change<T>(
    { pull }: OpenPull,
    sender: GitAccount,
    work: (
      tx: RepositoryStorage,
      now: Date,
    ) => Promise<{ result: T; event: string; action: string; extra: Record<string, unknown> }>,
  ): Promise<T> {
    const now = parts.now()
    const result = await storage.transaction(async (tx) => {
      const done = await work(tx, now)
      const [changed] = await tx.pulls.update({ id: pull.id }, { updatedAt: now })
      await emitPull(parts, tx, changed!, done.event, done.action, done.extra, sender, now)
      return done.result
    })
    parts.onDelivery()
    return result
  }

  async function writer(opened: OpenPull): Promise<GitAccount> {
    const { actor, record, permission } = opened
    if (!actor) throw new RestError(401, 'Requires authentication')
    const { scopes } = actor
    if (scopes !== null && !scopes.includes('repo') && (record.private || !scopes.includes('public_repo'))) {
      throw new RestError(403, `This token needs the scope ${record.private ? 'repo' : 'public_repo'}`)
    }
    if (!allows(permission, 'read')) throw RestError.notFound()
    return actor.account
  }

  app.get(`${PULL}/reviews`, async (request, reply) => {
    const { pull, record } = await openPull(api, request)
    const where = { pullId: pull.id }
    return api.page(request, reply, await storage.reviews.count(where), async (offset, limit) =>
      present.reviews(await storage.reviews.find(where, { offset, limit }), pull, record),
    )
  })

  app.post(`${PULL}/reviews`, async (request) => {
    const opened = await openPull(api, request)
    const account = await writer(opened)
    const body = parse(newReview, request.body, 'PullRequestReview')
    const { pull, record } = opened
    if (body.event !== 'COMMENT' && account.id === pull.authorId) {
      const verb = body.event === 'APPROVE' ? 'approve' : 'request changes on'
      throw new RestError(422, `Can not ${verb} your own pull request`)
    }
    if (body.event !== 'APPROVE' && !body.body && body.comments.length === 0) {
      throw new RestError(422, 'A review needs a text or a comment')
    }
    const commitId = body.commit_id ?? pull.headSha
    const hunks = await hunksOf(record, pull, body.comments)
    return change(opened, account, async (tx, now) => {
      const state = states[body.event]
      const review = await tx.reviews.insert({
        pullId: pull.id,
        authorId: account.id,
        state,
        body: body.body ?? '',
        commitId,
        submittedAt: now,
      })
      for (const [index, comment] of body.comments.entries()) {
        await tx.reviewComments.insert(
          commentRecord(comment, hunks[index]!, { pull, reviewId: review.id, authorId: account.id, commitId, now }),
        )
      }
      await tx.reviewRequests.remove({ pullId: pull.id, accountId: account.id })
      const [shown] = await present.reviews([review], pull, record)
      return { result: shown, event: 'pull_request_review', action: 'submitted', extra: { review: shown } }
    })
  })

  const reviewOf = async ({ pull }: OpenPull, id: string) => {
    const [review] = await storage.reviews.find({ id: idOf(id), pullId: pull.id })
    if (!review) throw RestError.notFound()
    return review
  }

  app.get(`${PULL}/reviews/:review`, async (request) => {
    const opened = await openPull(api, request)
    const review = await reviewOf(opened, (request.params as { review: string }).review)
    return (await present.reviews([review], opened.pull, opened.record))[0]
  })

  app.put(`${PULL}/reviews/:review`, async (request) => {
    const opened = await openPull(api, request)
    const account = await writer(opened)
    const review = await reviewOf(opened, (request.params as { review: string }).review)
    if (review.authorId !== account.id) throw new RestError(403, 'Only its author can change a review')
    const { body } = parse(z.object({ body: text }), request.body)
    return change(opened, account, async (tx) => {
      const changed = await tx.reviews.update({ id: review.id }, { body })
      const [shown] = await present.reviews(changed, opened.pull, opened.record)
      return { result: shown, event: 'pull_request_review', action: 'edited', extra: { review: shown } }
    })
  })

  app.put(`${PULL}/reviews/:review/dismissals`, async (request) => {
    const opened = await openPull(api, request)
    const account = api.accountOf(await api.open(request, 'write'))
    const review = await reviewOf(opened, (request.params as { review: string }).review)
    const { message } = parse(z.object({ message: text }), request.body)
    if (review.state !== 'APPROVED' && review.state !== 'CHANGES_REQUESTED') {
      throw new RestError(422, 'Can not dismiss a commented or dismissed review')
    }
    return change(opened, account, async (tx) => {
      const changed = await tx.reviews.update({ id: review.id }, { state: 'DISMISSED' })
      const [shown] = await present.reviews(changed, opened.pull, opened.record)
      return { result: shown, event: 'pull_request_review', action: 'dismissed', extra: { review: shown, message } }
    })
  })

  app.get(`${PULL}/reviews/:review/comments`, async (request, reply) => {
    const opened = await openPull(api, request)
    const review = await reviewOf(opened, (request.params as { review: string }).review)
    return sendComments(request, reply, opened, { pullId: opened.pull.id, reviewId: review.id })
  })

  app.get(`${PULL}/comments`, async (request, reply) => {
    const opened = await openPull(api, request)
    return sendComments(request, reply, opened, { pullId: opened.pull.id })
  })

  app.post(`${PULL}/comments`, async (request, reply) => {
    const body = request.body as { in_reply_to?: unknown } | undefined
    if (body?.in_reply_to !== undefined) return answerTo(request, reply, String(body.in_reply_to))
    const opened = await openPull(api, request)
    const account = await writer(opened)
    const comment = parse(
      lineComment.extend({ commit_id: z.string().refine(isCommitId).optional() }),
      request.body,
      'PullRequestReviewComment',
    )
    const { pull, record } = opened
    const commitId = comment.commit_id ?? pull.headSha
    const [hunk] = await hunksOf(record, pull, [comment])
    const shown = await change(opened, account, async (tx, now) => {
      const review = await tx.reviews.insert({
        pullId: pull.id,
        authorId: account.id,
        state: 'COMMENTED',
        body: '',
        commitId,
        submittedAt: now,
      })
      const made = await tx.reviewComments.insert(
        commentRecord(comment, hunk!, { pull, reviewId: review.id, authorId: account.id, commitId, now }),
      )
      const [result] = await present.reviewComments([made], pull, record)
      return { result, event: 'pull_request_review_comment', action: 'created', extra: { comment: result } }
    })
    return reply.code(201).send(shown)
  })

  app.post(`${PULL}/comments/:comment/replies`, async (request, reply) =>
    answerTo(request, reply, (request.params as { comment: string }).comment),
  )

  async function answerTo(request: Parameters<typeof openPull>[1], reply: Parameters<RestApi['page']>[1], id: string) {
    const opened = await openPull(api, request)
    const account = await writer(opened)
    const { pull, record } = opened
    const { body } = parse(z.object({ body: text }), request.body)
    const [first] = await storage.reviewComments.find({ id: idOf(id), pullId: pull.id })
    if (!first) throw RestError.notFound()
    const shown = await change(opened, account, async (tx, now) => {
      const { id: _id, ...place } = first
      const review = await tx.reviews.insert({
        pullId: pull.id,
        authorId: account.id,
        state: 'COMMENTED',
        body: '',
        commitId: first.commitId,
        submittedAt: now,
      })
      const made = await tx.reviewComments.insert({
        ...place,
        reviewId: review.id,
        authorId: account.id,
        body,
        // An answer to an answer belongs to the first of the thread.
        inReplyToId: first.inReplyToId ?? first.id,
        insertedAt: now,
        updatedAt: now,
      })
      const [result] = await present.reviewComments([made], pull, record)
      return { result, event: 'pull_request_review_comment', action: 'created', extra: { comment: result } }
    })
    return reply.code(201).send(shown)
  }

  /** A line comment by its own id, and the pull request it is on. */
  async function openComment(request: Parameters<RestApi['open']>[0]) {
    const repository = await api.open(request)
    const [comment] = await storage.reviewComments.find({ id: idOf((request.params as { comment: string }).comment) })
    const [pull] = comment ? await storage.pulls.find({ id: comment.pullId, repositoryId: repository.record.id }) : []
    if (!comment || !pull) throw RestError.notFound()
    return { opened: { ...repository, pull }, comment }
  }

  async function mayChange(opened: OpenPull, authorId: number): Promise<GitAccount> {
    const account = await writer(opened)
    const permission = await permissionOf(storage, opened.record, opened.actor)
    if (account.id !== authorId && !allows(permission, 'write'))
      throw new RestError(403, 'Only its author can change a comment')
    return account
  }

  app.get('/repos/:owner/:repo/pulls/comments/:comment', async (request) => {
    const { opened, comment } = await openComment(request)
    return (await present.reviewComments([comment], opened.pull, opened.record))[0]
  })

  app.patch('/repos/:owner/:repo/pulls/comments/:comment', async (request) => {
    const { opened, comment } = await openComment(request)
    const account = await mayChange(opened, comment.authorId)
    const { body } = parse(z.object({ body: text }), request.body)
    return change(opened, account, async (tx, now) => {
      const changed = await tx.reviewComments.update({ id: comment.id }, { body, updatedAt: now })
      const [result] = await present.reviewComments(changed, opened.pull, opened.record)
      return { result, event: 'pull_request_review_comment', action: 'edited', extra: { comment: result } }
    })
  })

  app.delete('/repos/:owner/:repo/pulls/comments/:comment', async (request, reply) => {
    const { opened, comment } = await openComment(request)
    const account = await mayChange(opened, comment.authorId)
    await change(opened, account, async (tx) => {
      const [shown] = await present.reviewComments([comment], opened.pull, opened.record)
      await tx.reviewComments.remove({ id: comment.id })
      return { result: undefined, event: 'pull_request_review_comment', action: 'deleted', extra: { comment: shown } }
    })
    return reply.code(204).send()
  })

  app.get('/repos/:owner/:repo/issues/:number/comments', async (request, reply) => {
    const { pull, record } = await openPull(api, request)
    const where = { pullId: pull.id }
    return api.page(request, reply, await storage.issueComments.count(where), async (offset, limit) =>
      present.issueComments(await storage.issueComments.find(where, { offset, limit }), pull, record),
    )
  })

  app.post('/repos/:owner/:repo/issues/:number/comments', async (request, reply) => {
    const opened = await openPull(api, request)
    const account = await writer(opened)
    const { body } = parse(z.object({ body: text }), request.body)
    const shown = await change(opened, account, async (tx, now) => {
      const made = await tx.issueComments.insert({
        pullId: opened.pull.id,
        authorId: account.id,
        body,
        insertedAt: now,
        updatedAt: now,
      })
      const [result] = await present.issueComments([made], opened.pull, opened.record)
      return {
        result,
        event: 'issue_comment',
        action: 'created',
        extra: { comment: result, issue: { number: opened.pull.number, pull_request: {} } },
      }
    })
    return reply.code(201).send(shown)
  })

  app.delete('/repos/:owner/:repo/issues/comments/:comment', async (request, reply) => {
    const repository = await api.open(request)
    const [comment] = await storage.issueComments.find({ id: idOf((request.params as { comment: string }).comment) })
    const [pull] = comment ? await storage.pulls.find({ id: comment.pullId, repositoryId: repository.record.id }) : []
    if (!comment || !pull) throw RestError.notFound()
    const opened = { ...repository, pull }
    const account = await mayChange(opened, comment.authorId)
    await change(opened, account, async (tx) => {
      const [shown] = await present.issueComments([comment], pull, repository.record)
      await tx.issueComments.remove({ id: comment.id })
      return {
        result: undefined,
        event: 'issue_comment',
        action: 'deleted',
        extra: { comment: shown, issue: { number: pull.number, pull_request: {} } },
      }
    })
    return reply.code(204).send()
  })

  const reviewers = z.object({ reviewers: z.array(z.string().max(39)).max(15).default([]) })

  app.get(`${PULL}/requested_reviewers`, async (request) => {
    const { pull } = await openPull(api, request)
    const requests = await storage.reviewRequests.find({ pullId: pull.id })
    const user = await present.users(requests.map(({ accountId }) => accountId))
    return { users: requests.map(({ accountId }) => user(accountId)), teams: [] }
  })

  for (const method of ['post', 'delete'] as const) {
    app[method](`${PULL}/requested_reviewers`, async (request, reply) => {
      const opened = await openPull(api, request)
      const { pull, record } = opened
      const account = await mayAsk(opened)
      const accounts = await Promise.all(
        parse(reviewers, request.body).reviewers.map((login) => storage.findAccount(login)),
      )
      for (const reviewer of accounts) {
        const permission = reviewer && (await permissionOf(storage, record, { account: reviewer, scopes: null }))
        if (!reviewer || !allows(permission!, 'read')) {
          throw new RestError(422, 'Reviews may only be requested from collaborators.')
        }
        if (method === 'post' && reviewer.id === pull.authorId)
          throw new RestError(422, 'Review cannot be requested from pull request author.')
        const key = { pullId: pull.id, accountId: reviewer.id }
        const asked = (await storage.reviewRequests.count(key)) > 0
        if (asked === (method === 'post')) continue
        await change(opened, account, async (tx, now) => {
          if (method === 'post') await tx.reviewRequests.insert({ ...key, insertedAt: now })
          else await tx.reviewRequests.remove(key)
          const user = await present.users([reviewer.id])
          const action = method === 'post' ? 'review_requested' : 'review_request_removed'
          return { result: undefined, event: 'pull_request', action, extra: { requested_reviewer: user(reviewer.id) } }
        })
      }
      const [changed] = await storage.pulls.find({ id: pull.id })
      return reply.code(method === 'post' ? 201 : 200).send(await present.pull(changed!, record, null))
    })
  }

  async function mayAsk(opened: OpenPull): Promise<GitAccount> {
    const account = await writer(opened)
    if (account.id !== opened.pull.authorId && !allows(opened.permission, 'write')) {
      throw new RestError(403, 'Must have push access to Repository.')
    }
    return account
  }

  async function sendComments(
    request: Parameters<RestApi['page']>[0],
    reply: Parameters<RestApi['page']>[1],
    { pull, record }: OpenPull,
    where: { pullId: number; reviewId?: number },
  ) {
    return api.page(request, reply, await storage.reviewComments.count(where), async (offset, limit) =>
      present.reviewComments(await storage.reviewComments.find(where, { offset, limit }), pull, record),
    )
  }

  /** The hunk each comment is on. A comment beside the changes of the pull request is refused, as at GitHub. */
  async function hunksOf(
    record: RepositoryRecord,
    pull: PullRecord,
    comments: readonly LineComment[],
  ): Promise<string[]> {
    if (comments.length === 0) return []
    const { git, mergeBase, head } = await pullRange(parts, record, pull)
    const files = await git.diff(mergeBase, head)
    return comments.map((comment) => {
      const patch = files.find(({ path }) => path === comment.path)?.patch ?? null
      const hunk = patch === null ? null : diffHunkOf(patch, comment.line, comment.side)
      if (hunk === null)
        throw RestError.invalid('PullRequestReviewComment', 'line', 'invalid', 'line must be part of the diff')
      return hunk
    })
  }
}

function commentRecord(
  comment: LineComment,
  diffHunk: string,
  of: { pull: PullRecord; reviewId: number; authorId: number; commitId: string; now: Date },
): Omit<ReviewCommentRecord, 'id'> {
  return {
    pullId: of.pull.id,
    reviewId: of.reviewId,
    authorId: of.authorId,
    body: comment.body,
    path: comment.path,
    side: comment.side,
    line: comment.line,
    startLine: comment.start_line ?? null,
    startSide: (comment.start_side ?? null) as Side | null,
    commitId: of.commitId,
    diffHunk,
    inReplyToId: null,
    insertedAt: of.now,
    updatedAt: of.now,
  }
}

function idOf(text: string): number {
  const id = Number(text)
  if (!Number.isSafeInteger(id) || id < 1) throw RestError.notFound()
  return id
}
