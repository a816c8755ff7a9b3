import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import type { App } from '../App.ts'

const smallSandboxSchema = z.object({
  id: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  v2: z.boolean(),
  forkedTemplate: z.object({ iconUrl: z.string().nullable() }).nullable(),
  viewCount: z.number(),
  likeCount: z.number(),
  forkCount: z.number(),
  screenshotUrl: z.string().nullable(),
})
export type SmallSandbox = z.output<typeof smallSandboxSchema>

const profileSchema = z.object({
  username: z.string(),
  name: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  bio: z.string().nullable(),
  socialLinks: z.array(z.string()),
  viewCount: z.number(),
  sandboxCount: z.number(),
  receivedLikeCount: z.number(),
  forkedCount: z.number(),
  badges: z.array(z.object({ id: z.string(), name: z.string() })),
  featuredSandboxes: z.array(smallSandboxSchema),
})
export type PublicProfile = z.output<typeof profileSchema>

const key = (username: string) => ['publicProfile', username.toLowerCase()]
const pathOf = (username: string) => `/users/${encodeURIComponent(username)}`

export const publicProfile = (app: App, username: string) =>
  queryOptions({
    queryKey: key(username),
    queryFn: ({ signal }) => app.rest.get(pathOf(username), { schema: profileSchema, signal }),
  })

const pagesSchema = z.record(z.string(), z.array(smallSandboxSchema))

/** All public sandboxes of someone, or those they like. */
export const profileSandboxes = (app: App, username: string, kind: 'sandboxes' | 'sandboxes/liked') =>
  queryOptions({
    queryKey: [...key(username), kind],
    queryFn: async ({ signal }) => {
      const pages = await app.rest.get(`${pathOf(username)}/${kind}`, {
        schema: pagesSchema,
        query: { page: 'all' },
        signal,
      })
      return Object.values(pages).flat()
    },
  })
