import { z } from 'zod'
import { isCommitId } from '../git/names.ts'
import type { StatusRecord } from '../repositories/records.ts'
import { emit } from '../webhooks/emit.ts'
import { presentSimpleUser } from './presenter.ts'
import { parse } from './restApi.ts'
import type { RestApi } from './restApi.ts'
import { RestError } from './restError.ts'

const newStatus = z.object({
  state: z.enum(['error', 'failure', 'pending', 'success']),
  context: z.string().min(1).max(255).default('default'),
  description: z.string().max(140).nullish(),
  target_url: z.url({ protocol: /^https?$/ }).nullish(),
})
const conclusions = z.enum([
  'action_required',
  'cancelled',
  'failure',
  'neutral',
  'success',
  'skipped',
  'stale',
  'timed_out',
])
const checkRun = z.object({
  name: z.string().min(1).max(255),
  head_sha: z.string().refine(isCommitId),
  status: z.enum(['queued', 'in_progress', 'completed']).default('queued'),
  conclusion: conclusions.nullish(),
  details_url: z.url({ protocol: /^https?$/ }).nullish(),
  output: z.object({ title: z.string().max(255), summary: z.string().max(65_535) }).optional(),
})

/** Statuses and check runs: what tests and other programs say about a commit. */
export function registerStatusRoutes(api: RestApi): void {
  const { app, parts, present } = api
  const { storage } = parts

  app.post('/repos/:owner/:repo/statuses/:sha', async (request, reply) => {
    const repository = await api.open(request, 'write')
    const sha = await repository.git.resolve(
      parse(z.string().refine(isCommitId), (request.params as { sha: string }).sha),
    )
    if (sha === null) throw new RestError(422, `No commit found for SHA`)
    const body = parse(newStatus, request.body, 'Status')
    const account = api.accountOf(repository)
    const now = parts.now()
    const status = await storage.transaction(async (tx) => {
      const made = await tx.statuses.insert({
        repositoryId: repository.record.id,
        sha,
        state: body.state,
        context: body.context,
        description: body.description ?? null,
        targetUrl: body.target_url ?? null,
        creatorId: account.id,
        insertedAt: now,
      })
      const payload = {
        ...present.status(made),
        sha,
        repository: present.repository(repository.record, 'read'),
        sender: presentSimpleUser(account, parts.publicUrl),
      }
      await emit(tx, repository.record, { event: 'status', action: null, payload }, now)
      return made
    })
    parts.onDelivery()
    return reply.code(201).send(present.status(status))
  })

  app.get('/repos/:owner/:repo/commits/:ref/statuses', async (request, reply) => {
    const { sha, where } = await commitStatuses(request)
    if (sha === null) throw new RestError(422, 'No commit found for SHA')
    return api.page(request, reply, await storage.statuses.count(where), async (offset, limit) =>
      (await storage.statuses.find(where, { by: 'id', descending: true, offset, limit })).map((status) =>
        present.status(status),
      ),
    )
  })

  app.get('/repos/:owner/:repo/commits/:ref/status', async (request) => {
    const { sha, where } = await commitStatuses(request)
    if (sha === null) throw new RestError(422, 'No commit found for SHA')
    // The last word of each context counts.
    const latest = new Map((await storage.statuses.find(where)).map((status) => [status.context, status]))
    const statuses = [...latest.values()]
    return {
      state: combined(statuses),
      sha,
      total_count: statuses.length,
      statuses: statuses.map((status) => present.status(status)),
    }
  })

  async function commitStatuses(request: Parameters<RestApi['open']>[0]) {
    const repository = await api.open(request)
    const sha = await api.commitOf(repository, (request.params as { ref: string }).ref)
    return { sha, where: { repositoryId: repository.record.id, sha: sha ?? '' } }
  }

  app.post('/repos/:owner/:repo/check-runs', async (request, reply) => {
    const { record, git } = await api.open(request, 'write')
    const body = parse(checkRun, request.body, 'CheckRun')
    if ((await git.resolve(body.head_sha)) === null) throw new RestError(422, 'No commit found for SHA')
    const now = parts.now()
    const done = body.conclusion != null
    const run = await storage.checkRuns.insert({
      repositoryId: record.id,
      headSha: body.head_sha,
      name: body.name,
      status: done ? 'completed' : body.status,
      conclusion: body.conclusion ?? null,
      detailsUrl: body.details_url ?? null,
      title: body.output?.title ?? null,
      summary: body.output?.summary ?? null,
      startedAt: now,
      completedAt: done ? now : null,
    })
    return reply.code(201).send(present.checkRun(run))
  })

  app.patch('/repos/:owner/:repo/check-runs/:run', async (request) => {
    const { record } = await api.open(request, 'write')
    const id = Number((request.params as { run: string }).run)
    const body = parse(checkRun.partial(), request.body, 'CheckRun')
    const done = body.conclusion != null
    const [run] = Number.isSafeInteger(id)
      ? await storage.checkRuns.update(
          { id, repositoryId: record.id },
          {
            ...(body.name === undefined ? {} : { name: body.name }),
            ...(body.status === undefined && !done ? {} : { status: done ? 'completed' : body.status! }),
            ...(done ? { conclusion: body.conclusion!, completedAt: parts.now() } : {}),
            ...(body.output === undefined ? {} : { title: body.output.title, summary: body.output.summary }),
          },
        )
      : []
    if (!run) throw RestError.notFound()
    return present.checkRun(run)
  })

  app.get('/repos/:owner/:repo/commits/:ref/check-runs', async (request) => {
    const repository = await api.open(request)
    const sha = await api.commitOf(repository, (request.params as { ref: string }).ref)
    if (sha === null) throw new RestError(422, 'No commit found for SHA')
    const runs = await storage.checkRuns.find({ repositoryId: repository.record.id, headSha: sha })
    return { total_count: runs.length, check_runs: runs.map((run) => present.checkRun(run)) }
  })
}

function combined(statuses: readonly StatusRecord[]): 'failure' | 'pending' | 'success' {
  if (statuses.some(({ state }) => state === 'failure' || state === 'error')) return 'failure'
  return statuses.length === 0 || statuses.some(({ state }) => state === 'pending') ? 'pending' : 'success'
}
