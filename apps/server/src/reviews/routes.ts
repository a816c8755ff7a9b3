import { dataOf } from '@boxyard/api'
import { isBranchName } from '@boxyard/git-host'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { App } from '../http/app.ts'
import { presentPull, pullSchema } from './presentPull.ts'
import type { ReviewService } from './reviewService.ts'

const name = z.string().min(1).max(250)
const params = z.object({ owner: name, repo: name })
const pullParams = params.extend({ number: z.coerce.number().int().min(1) })
const branchText = z.string().max(250).refine(isBranchName, 'This is not the name of a branch.')
const pullAnswer = { 200: dataOf(pullSchema) }
const filesAnswer = {
  200: dataOf(
    z.array(
      z.object({
        path: z.string(),
        previous_path: z.string().nullable(),
        status: z.string(),
        additions: z.number(),
        deletions: z.number(),
        patch: z.string().nullable(),
      }),
    ),
  ),
}
const checksAnswer = {
  200: dataOf(
    z.array(
      z.object({
        name: z.string(),
        state: z.enum(['pending', 'success', 'failure']),
        description: z.string().nullable(),
        url: z.string().nullable(),
      }),
    ),
  ),
}
const PULLS = '/api/v1/repos/github/:owner/:repo/pulls'

/** Pull requests as far as the query API has no words for them: opening, changing, their files and checks. */
export function registerReviewRoutes(app: App, reviews: ReviewService): void {
  const { required } = app.authenticate

  app.get(
    `${PULLS}/:number`,
    { onRequest: required, schema: { params: pullParams, response: pullAnswer } },
    async (request) => {
      const { owner, repo, number } = request.params
      return { data: presentPull(await reviews.get(userOf(request), { owner, name: repo }, number)) }
    },
  )

  app.get(
    PULLS,
    {
      onRequest: required,
      schema: {
        params,
        querystring: z.object({ head: branchText, head_owner: name.optional() }),
        response: { 200: dataOf(z.array(pullSchema)) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const { repository } = await reviews.open(user, { owner: request.params.owner, name: request.params.repo })
      const [pulls] = await reviews.lists(user, [
        { repository, branch: request.query.head, headOwner: request.query.head_owner ?? null },
      ])
      return { data: pulls!.map(presentPull) }
    },
  )

  app.post(
    PULLS,
    {
      onRequest: required,
      schema: {
        params,
        body: z.object({
          title: z.string().min(1).max(256),
          body: z.string().max(65_536).default(''),
          head: branchText,
          /** Whose fork the branch is in, when it is not in the repository itself. */
          head_owner: name.optional(),
          base: branchText.optional(),
          draft: z.boolean().default(false),
        }),
        response: pullAnswer,
      },
    },
    async (request) => {
      const { host, repository } = await reviews.open(userOf(request), {
        owner: request.params.owner,
        name: request.params.repo,
      })
      const { base, head, head_owner: headOwner, ...values } = request.body
      const pull = await host.createPull(repository, {
        ...values,
        head: headOwner === undefined ? head : `${headOwner}:${head}`,
        base: base ?? repository.defaultBranch,
      })
      const opened = { kind: 'PullRequestEvent', action: 'opened' } as const
      return { data: presentPull(await reviews.refresh(host, repository, pull.number, opened)) }
    },
  )

  app.patch(
    `${PULLS}/:number`,
    {
      onRequest: required,
      schema: {
        params: pullParams,
        body: z.object({
          title: z.string().min(1).max(256).optional(),
          body: z.string().max(65_536).optional(),
          state: z.enum(['open', 'closed']).optional(),
          base: branchText.optional(),
          draft: z.boolean().optional(),
        }),
        response: pullAnswer,
      },
    },
    async (request) => {
      const { owner, repo, number } = request.params
      const { pullRequest } = await reviews.act(
        userOf(request),
        { owner, name: repo },
        number,
        async (host, repository) => {
          const { title, body, state, base, draft } = request.body
          const change = {
            ...(title === undefined ? {} : { title }),
            ...(body === undefined ? {} : { body }),
            ...(state === undefined ? {} : { state }),
            ...(base === undefined ? {} : { base }),
          }
          if (draft !== undefined) await host.setDraft(repository, number, draft)
          if (Object.keys(change).length > 0) await host.updatePull(repository, number, change)
          const drafted = draft === undefined ? 'edited' : draft ? 'converted_to_draft' : 'ready_for_review'
          return {
            result: null,
            event: { kind: 'PullRequestEvent', action: state === 'closed' ? 'closed' : drafted },
          }
        },
      )
      return { data: presentPull(pullRequest) }
    },
  )

  app.get(
    `${PULLS}/:number/files`,
    { onRequest: required, schema: { params: pullParams, response: filesAnswer } },
    async (request) => {
      const { owner, repo, number } = request.params
      const { host, repository } = await reviews.open(userOf(request), { owner, name: repo })
      const files = await host.pullFiles(repository, number)
      return { data: files.map(({ previousPath, ...file }) => ({ ...file, previous_path: previousPath })) }
    },
  )

  app.get(
    `${PULLS}/:number/checks`,
    { onRequest: required, schema: { params: pullParams, response: checksAnswer } },
    async (request) => {
      const { owner, repo, number } = request.params
      const { host, repository } = await reviews.open(userOf(request), { owner, name: repo })
      const { headSha } = await host.pull(repository, number)
      return { data: await host.checks(repository, headSha) }
    },
  )
}
