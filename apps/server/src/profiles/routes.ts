import { ApiError, dataOf, mayDo, profileAnswerSchema, profileChangeSchema, smallSandboxSchema } from '@boxyard/api'
import type { ProfileAnswer, SmallSandboxAnswer } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import { findUserByName, findUsers } from '../accounts/users.ts'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { findSandboxes, rolesIn } from '../sandboxes/sandboxes.ts'
import type { Sandbox } from '../sandboxes/sandboxes.ts'
import type { TemplateCatalogue } from '../sandboxes/templates.ts'
import { presentSmallSandbox } from './presentSmallSandbox.ts'
import { arrangeProfile, likesOfProfile, profileOf, profileOrders, sandboxesOfProfile } from './profiles.ts'
import type { Profile } from './profiles.ts'

const PAGE = 15
/** What `page=all` answers at most. */
const ALL = 600

const nameParams = z.object({ username: z.string().min(1).max(100) })
const pageText = z.union([z.literal('all'), z.coerce.number().int().min(1).max(10_000)]).default(1)
/** By the number of the page. */
const pagesSchema = z.record(z.string(), z.array(smallSandboxSchema))

/** People as others see them, with what they made and like in public. */
export function registerProfiles(app: App, { database }: ServerContext, templates: TemplateCatalogue): void {
  const { optional, required } = app.authenticate

  async function person(username: string): Promise<User> {
    const user = await findUserByName(database, username)
    if (!user) throw new ApiError('NOT_FOUND', { detail: 'This user is not found' })
    return user
  }

  async function small(list: readonly Sandbox[]): Promise<SmallSandboxAnswer[]> {
    const found = await findUsers(database, [...new Set(list.flatMap(({ authorId }) => authorId ?? []))])
    const authors = new Map(found.map((user) => [user.id, user]))
    return list.map((one) => presentSmallSandbox(one, authors.get(one.authorId ?? '') ?? null, templates))
  }

  app.get(
    '/api/v1/users/:username',
    { onRequest: optional, schema: { params: nameParams, response: { 200: dataOf(profileAnswerSchema) } } },
    async (request) => {
      const profile = await profileOf(database, await person(request.params.username), request.user)
      return { data: present(profile, await small(profile.featured)) }
    },
  )

  app.patch(
    '/api/v1/users/:username',
    {
      onRequest: required,
      schema: { params: nameParams, body: profileChangeSchema, response: { 200: dataOf(profileAnswerSchema) } },
    },
    async (request) => {
      const user = userOf(request)
      if ((await person(request.params.username)).id !== user.id) throw new ApiError('FORBIDDEN')
      const changed = await inTransaction(database, user, (work) => arrangeProfile(work, user, request.body.user))
      const profile = await profileOf(database, changed, user)
      return { data: present(profile, await small(profile.featured)) }
    },
  )

  app.get(
    '/api/v1/users/:username/sandboxes',
    {
      schema: {
        params: nameParams,
        querystring: z.object({
          sort_by: z.enum(profileOrders).default('view_count'),
          direction: z.enum(['asc', 'desc']).default('desc'),
          page: pageText,
        }),
        response: { 200: pagesSchema },
      },
    },
    async (request) => {
      const { sort_by: sortBy, direction, page } = request.query
      const { id } = await person(request.params.username)
      return paged(page, async (range) =>
        small(await sandboxesOfProfile(database, id, { sortBy, direction, ...range })),
      )
    },
  )

  app.get(
    '/api/v1/users/:username/sandboxes/liked',
    { schema: { params: nameParams, querystring: z.object({ page: pageText }), response: { 200: pagesSchema } } },
    async (request) => {
      const { id } = await person(request.params.username)
      return paged(request.query.page, async (range) => small(await likesOfProfile(database, id, range)))
    },
  )

  // Several sandboxes without their files. Those that whoever asks may not see are left out.
  app.post(
    '/api/v1/sandboxes/mslim',
    {
      onRequest: optional,
      schema: {
        body: z.object({ ids: z.array(z.string().max(100)).max(200) }),
        response: { 200: dataOf(z.array(smallSandboxSchema)) },
      },
    },
    async (request) => {
      const found = await findSandboxes(database, request.body.ids)
      const roles = await rolesIn(database, found, request.user)
      const visible = found.filter((_one, at) => mayDo(roles[at]!, 'see'))
      return { data: await small(visible) }
    },
  )
}

async function paged<T>(
  page: number | 'all',
  load: (range: { offset: number; limit: number }) => Promise<T[]>,
): Promise<Record<string, T[]>> {
  if (page !== 'all') return { [page]: await load({ offset: (page - 1) * PAGE, limit: PAGE }) }
  const all = await load({ offset: 0, limit: ALL })
  const pages = Array.from({ length: Math.max(1, Math.ceil(all.length / PAGE)) }, (_page, at) => at)
  return Object.fromEntries(pages.map((at) => [at + 1, all.slice(at * PAGE, (at + 1) * PAGE)]))
}

function present({ user, counts, ...profile }: Profile, featured: SmallSandboxAnswer[]): ProfileAnswer {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    avatar_url: user.avatarUrl,
    github_username: profile.githubUsername,
    bio: user.bio,
    social_links: user.socialLinks,
    view_count: counts.views,
    sandbox_count: counts.sandboxes,
    template_count: counts.templates,
    received_like_count: counts.receivedLikes,
    given_like_count: counts.givenLikes,
    forked_count: counts.forks,
    subscription_since: profile.subscriptionSince?.toISOString() ?? null,
    showcased_sandbox_shortid: user.showcasedSandboxId,
    badges: profile.badges,
    featured_sandboxes: featured,
    personal_workspace_id: profile.personalTeamId,
    teams: profile.teams.map(({ id, name, avatarUrl }) => ({ id, name, avatar_url: avatarUrl })),
  }
}
