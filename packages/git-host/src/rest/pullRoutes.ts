import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isBranchName, isCommitId } from '../git/names.ts'
import { changePull } from '../pulls/afterRefChanges.ts'
import { createPull, mergePull, pullRange, updatePullBranch } from '../pulls/pullOperations.ts'
import type { PullRecord, RepositoryRecord } from '../repositories/records.ts'
import { parse } from './restApi.ts'
import type { OpenRepository, RestApi } from './restApi.ts'
import { RestError } from './restError.ts'

const LONGEST_TEXT = 65_536
const branchText = z.string().refine(isBranchName, 'is not a branch name')
const MOST_FILES = 3000

const PULLS = '/repos/:owner/:repo/pulls'

/** The repository and the pull request of a path. */
export async function openPull(api: RestApi, request: FastifyRequest): Promise<OpenRepository & { pull: PullRecord }> {
  const repository = await api.open(request)
  const number = Number((request.params as { number: string }).number)
  const [pull] = Number.isSafeInteger(number)
    ? await api.parts.storage.pulls.find({ repositoryId: repository.record.id, number })
    : []
  if (!pull) throw RestError.notFound()
  return { ...repository, pull }
}

/** Pull requests, their commits and files, and how they are merged. */
export function registerPullRoutes(api: RestApi): void {
  const { app, parts, present } = api
  const { storage } = parts

  app.get(PULLS, async (request, reply) => {
    const { record } = await api.open(request)
    const query = parse(
      z.object({
        state: z.enum(['open', 'closed', 'all']).default('open'),
        head: z.string().optional(),
        base: z.string().optional(),
        sort: z.enum(['created', 'updated', 'popularity', 'long-running']).default('created'),
        direction: z.enum(['asc', 'desc']).default('desc'),
      }),
      request.query,
    )
    const where = {
      repositoryId: record.id,
      ...(query.state === 'all' ? {} : { state: query.state }),
      ...(query.head === undefined
        ? {}
        : { headLabel: query.head.includes(':') ? query.head : `${record.ownerLogin}:${query.head}` }),
      ...(query.base === undefined ? {} : { baseRef: query.base }),
    }
    const order = {
      by: query.sort === 'updated' ? ('updatedAt' as const) : ('id' as const),
      descending: query.direction === 'desc',
    }
    return api.page(request, reply, await storage.pulls.count(where), async (offset, limit) => {
      const pulls = await storage.pulls.find(where, { ...order, offset, limit })
      return Promise.all(pulls.map(async (pull) => present.pull(pull, record, await headOf(pull))))
    })
  })

  app.post(PULLS, async (request, reply) => {
    const repository = await api.open(request)
    const { account } = api.actor(request)
    const body = parse(
      z.object({
        title: z.string().min(1).max(256),
        body: z.string().max(LONGEST_TEXT).nullish(),
        head: z.string().min(1),
        base: branchText,
        draft: z.boolean().default(false),
      }),
      request.body,
      'PullRequest',
    )
    const [owner, branch] = body.head.includes(':') ? body.head.split(':', 2) : [null, body.head]
    if (!isBranchName(branch!)) throw RestError.invalid('PullRequest', 'head', 'invalid')
    const head = await headRepository(repository.record, owner ?? null)
    // Whoever opens it needs to be able to write its head, and read both.
    await api.openNamed(request.gitActor, head.ownerLogin, head.name, 'write')
    const pull = await createPull(
      parts,
      repository.record,
      { title: body.title, body: body.body ?? null, draft: body.draft, baseRef: body.base, headRef: branch!, head },
      account,
    )
    return reply.code(201).send(await full(repository.record, pull))
  })

  app.get(`${PULLS}/:number`, async (request) => {
    const { record, pull } = await openPull(api, request)
    return full(record, pull)
  })

  app.patch(`${PULLS}/:number`, async (request) => {
    const repository = await openPull(api, request)
    const account = requireAuthorOrWriter(repository)
    const body = parse(
      z.object({
        title: z.string().min(1).max(256).optional(),
        body: z.string().max(LONGEST_TEXT).nullable().optional(),
        state: z.enum(['open', 'closed']).optional(),
        base: branchText.optional(),
        draft: z.boolean().optional(),
      }),
      request.body,
      'PullRequest',
    )
    const { record, git } = repository
    const pull = await parts.queue.run(record.id, async () => {
      const [present_] = await storage.pulls.find({ id: repository.pull.id })
      if (present_!.merged && body.state === 'open')
        throw RestError.invalid('PullRequest', 'state', 'invalid', 'It was merged')
      if (body.base !== undefined && (await git.resolve(`refs/heads/${body.base}`)) === null) {
        throw RestError.invalid('PullRequest', 'base', 'invalid')
      }
      const now = parts.now()
      const turns = body.state !== undefined && body.state !== present_!.state
      const drafts = body.draft !== undefined && body.draft !== present_!.draft
      const action = turns
        ? body.state === 'closed'
          ? 'closed'
          : 'reopened'
        : drafts
          ? body.draft
            ? 'converted_to_draft'
            : 'ready_for_review'
          : 'edited'
      const change = {
        ...(body.title === undefined ? {} : { title: body.title }),
        ...(body.body === undefined ? {} : { body: body.body }),
        ...(body.base === undefined ? {} : { baseRef: body.base }),
        ...(body.draft === undefined ? {} : { draft: body.draft }),
        ...(body.state === undefined ? {} : { state: body.state, closedAt: body.state === 'closed' ? now : null }),
      }
      return storage.transaction((tx) => changePull(parts, tx, present_!, change, { action }, account, now))
    })
    parts.onDelivery()
    return full(record, pull)
  })

  app.get(`${PULLS}/:number/commits`, async (request, reply) => {
    const { record, pull } = await openPull(api, request)
    const { git, mergeBase, head } = await pullRange(parts, record, pull)
    const total = await git.count(head, mergeBase)
    return api.page(request, reply, total, async (skip, limit) => {
      const oldestFirst = (await git.log({ head, base: mergeBase })).toReversed()
      return oldestFirst.slice(skip, skip + limit).map((commit) => present.commit(record, commit))
    })
  })

  app.get(`${PULLS}/:number/files`, async (request, reply) => {
    const { record, pull } = await openPull(api, request)
    const { git, mergeBase, head } = await pullRange(parts, record, pull)
    const files = (await git.diff(mergeBase, head)).slice(0, MOST_FILES)
    return api.page(request, reply, files.length, (offset, limit) =>
      files.slice(offset, offset + limit).map((file) => present.file(file)),
    )
  })

  app.get(`${PULLS}/:number/merge`, async (request, reply) => {
    const { pull } = await openPull(api, request)
    if (!pull.merged) throw RestError.notFound()
    return reply.code(204).send()
  })

  app.put(`${PULLS}/:number/merge`, async (request) => {
    const { record, pull } = await openPull(api, request)
    const { actor } = await api.open(request, 'write')
    const body = parse(
      z.object({
        commit_title: z.string().max(1000).optional(),
        commit_message: z.string().max(LONGEST_TEXT).optional(),
        sha: z.string().refine(isCommitId).optional(),
        merge_method: z.enum(['merge', 'squash', 'rebase']).default('merge'),
      }),
      request.body,
    )
    const options = {
      method: body.merge_method,
      title: body.commit_title ?? null,
      message: body.commit_message ?? null,
      sha: body.sha ?? null,
    }
    const merged = await mergePull(parts, record, pull.number, options, actor!.account)
    return { sha: merged.mergeCommitSha, merged: true, message: 'Pull Request successfully merged' }
  })

  app.put(`${PULLS}/:number/update-branch`, async (request, reply) => {
    const { record, pull } = await openPull(api, request)
    const head = await headOf(pull)
    if (!head) throw new RestError(422, 'The branch of this pull request is gone')
    const { actor } = await api.openNamed(request.gitActor, head.ownerLogin, head.name, 'write')
    await updatePullBranch(parts, record, pull, head, actor!.account)
    return reply.code(202).send({
      message: 'Updating pull request branch.',
      url: `${parts.apiUrl}/repos/${record.ownerLogin}/${record.name}/pulls/${pull.number}`,
    })
  })

  app.get('/repos/:owner/:repo/issues/:number', async (request) => {
    const { record, pull } = await openPull(api, request)
    return { ...(await present.pull(pull, record, await headOf(pull))), pull_request: {} }
  })

  function requireAuthorOrWriter({ pull, actor, permission }: OpenRepository & { pull: PullRecord }) {
    if (!actor) throw new RestError(401, 'Requires authentication')
    const may = permission === 'write' || permission === 'admin' || actor.account.id === pull.authorId
    if (!may) throw new RestError(403, 'Must have push access to Repository.')
    return actor.account
  }

  async function headOf({ headRepositoryId }: PullRecord): Promise<RepositoryRecord | null> {
    const [head] = headRepositoryId === null ? [] : await storage.repositories.find({ id: headRepositoryId })
    return head ?? null
  }

  /** The repository that `owner:branch` means: this one, or the owner's fork of it. */
  async function headRepository(base: RepositoryRecord, owner: string | null): Promise<RepositoryRecord> {
    if (owner === null || owner.toLowerCase() === base.ownerLogin.toLowerCase()) return base
    const related = await storage.repositories.find({
      parentId: [base.id, ...(base.parentId === null ? [] : [base.parentId])],
    })
    const parents = base.parentId === null ? [] : await storage.repositories.find({ id: base.parentId })
    const head = [...related, ...parents].find(({ ownerLogin }) => ownerLogin.toLowerCase() === owner.toLowerCase())
    if (!head) throw RestError.invalid('PullRequest', 'head', 'invalid')
    return head
  }

  /** With what only single answers have: counts, and whether it can be merged. */
  async function full(record: RepositoryRecord, pull: PullRecord) {
    const { git, base, mergeBase, head } = await pullRange(parts, record, pull)
    const files = await git.diff(mergeBase, head)
    const mergeable = pull.state === 'open' ? (await git.mergeTree(base, head)) !== null : null
    const [comments, reviewComments] = await Promise.all([
      storage.issueComments.count({ pullId: pull.id }),
      storage.reviewComments.count({ pullId: pull.id }),
    ])
    return {
      ...(await present.pull(pull, record, await headOf(pull))),
      mergeable,
      rebaseable: mergeable,
      mergeable_state: mergeable === null ? 'unknown' : pull.draft ? 'draft' : mergeable ? 'clean' : 'dirty',
      comments,
      review_comments: reviewComments,
      commits: await git.count(head, mergeBase),
      additions: files.reduce((sum, file) => sum + file.additions, 0),
      deletions: files.reduce((sum, file) => sum + file.deletions, 0),
      changed_files: files.length,
    }
  }
}
