import { gitPlaceSchema } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { presentGit } from '../sandboxes/presentSandbox.ts'
import { pickedSandboxes, pickSandbox, popularSandboxes } from './picks.ts'
import type { ExploredSandbox, Pick } from './picks.ts'

const WEEK_MS = 7 * 86_400_000

const pickSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  inserted_at: z.iso.datetime(),
})
const exploredSchema = z.object({
  id: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  template: z.string(),
  view_count: z.number().int(),
  git: gitPlaceSchema.nullable(),
  author: z.object({ id: z.string(), username: z.string(), avatar_url: z.string().nullable() }).nullable(),
  picks: z.array(pickSchema),
})

/** What the explore page shows: what is opened most, and what curators chose. */
export function registerCurators(app: App, { database }: ServerContext): void {
  app.get(
    '/api/v1/sandboxes/popular',
    {
      schema: {
        querystring: z.object({ start_date: z.coerce.date().optional() }),
        response: {
          200: z.object({ start_date: z.string(), end_date: z.string(), sandboxes: z.array(exploredSchema) }),
        },
      },
    },
    async (request) => {
      const now = new Date()
      const since = request.query.start_date ?? new Date(now.getTime() - WEEK_MS)
      const found = await popularSandboxes(database, since)
      return { start_date: since.toISOString(), end_date: now.toISOString(), sandboxes: found.map(presentExplored) }
    },
  )

  app.get(
    '/api/v1/sandboxes/picked',
    {
      schema: {
        querystring: z.object({ page: z.coerce.number().int().min(1).max(10_000).default(1) }),
        response: { 200: z.object({ page: z.number().int(), sandboxes: z.array(exploredSchema) }) },
      },
    },
    async (request) => {
      const { page } = request.query
      return { page, sandboxes: (await pickedSandboxes(database, page)).map(presentExplored) }
    },
  )

  app.post(
    '/api/v1/sandboxes/:id/pick',
    {
      onRequest: app.authenticate.required,
      schema: {
        params: z.object({ id: z.string().min(1).max(100) }),
        body: z.object({
          title: z.string().trim().min(1).max(100),
          description: z.string().trim().max(500).default(''),
        }),
        response: { 200: z.object({ data: pickSchema }) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const pick = await inTransaction(database, user, (work) =>
        pickSandbox(work, user, { sandboxId: request.params.id, ...request.body }),
      )
      return { data: presentPick(pick) }
    },
  )
}

function presentPick({ id, title, description, insertedAt }: Pick) {
  return { id, title, description, inserted_at: insertedAt.toISOString() }
}

function presentExplored({ sandbox, author, git, picks }: ExploredSandbox) {
  return {
    id: sandbox.id,
    title: sandbox.title,
    description: sandbox.description,
    template: sandbox.environment ?? sandbox.template ?? 'node',
    view_count: sandbox.viewCount,
    git: presentGit(git),
    author: author && { id: author.id, username: author.username, avatar_url: author.avatarUrl },
    picks: picks.map(presentPick),
  }
}
