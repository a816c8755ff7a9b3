import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import type { App } from '../App.ts'

const profileDocument = `query git { me { githubProfile { login scopes } } }`

/** What the person let us do at the git host, or null. */
export const gitProfile = (app: App) =>
  queryOptions({
    queryKey: ['git-profile'],
    queryFn: async () => {
      const profile = z.object({ login: z.string(), scopes: z.array(z.string()) }).nullable()
      const { me } = await app.graphql.query(profileDocument, {
        schema: z.object({ me: z.object({ githubProfile: profile }).nullable() }),
      })
      return me?.githubProfile ?? null
    },
  })

const branch = z.object({ id: z.string(), name: z.string() })
const project = z.object({
  id: z.string(),
  repository: z.object({ owner: z.string(), name: z.string(), defaultBranch: z.string() }),
  branches: z.array(branch),
})
export type Project = z.output<typeof project>

const projectsDocument = `query teamProjects { me { workspaces { id projects { id
  repository { ... on GitHubRepository { owner name defaultBranch } } branches { id name } } } } }`

/** The repositories of the person's workspaces with the branches that have a box. */
export const projects = (app: App) =>
  queryOptions({
    queryKey: ['projects'],
    queryFn: async () => {
      const { me } = await app.graphql.query(projectsDocument, {
        schema: z.object({
          me: z.object({ workspaces: z.array(z.object({ id: z.string(), projects: z.array(project) })) }).nullable(),
        }),
      })
      return (me?.workspaces ?? []).flatMap((workspace) => workspace.projects)
    },
  })

export const branchSchema = z.object({
  id: z.string(),
  branch: z.string(),
  owner: z.string(),
  repo: z.string(),
  defaultBranchName: z.string(),
})

const comment = z.object({
  id: z.number(),
  username: z.string(),
  body: z.string(),
  path: z.string(),
  line: z.number().nullable(),
  side: z.string().nullable(),
  commitId: z.string(),
  createdAt: z.string(),
  inReplyToId: z.number().nullable(),
})
export type LineComment = z.output<typeof comment>
export const pullSchema = z.object({
  number: z.number(),
  title: z.string(),
  body: z.string().nullable(),
  state: z.string(),
  draft: z.boolean(),
  headBranch: z.string(),
  headSha: z.string(),
  baseBranch: z.string(),
  creatorUsername: z.string(),
  mergeable: z.boolean().nullable(),
  requestedReviewers: z.array(z.object({ username: z.string() })),
  reviews: z.array(
    z.object({
      id: z.number(),
      username: z.string(),
      state: z.string(),
      body: z.string().nullable(),
      comments: z.array(comment),
    }),
  ),
})
export type Pull = z.output<typeof pullSchema>
export const fileSchema = z.object({
  path: z.string(),
  status: z.string(),
  previousPath: z.string().nullable(),
  additions: z.number(),
  deletions: z.number(),
  patch: z.string().nullable(),
})

export interface PullPlace {
  owner: string
  repo: string
  number: number
}
export const pullPath = ({ owner, repo, number }: PullPlace) => `/repos/github/${owner}/${repo}/pulls/${number}`

/** How often a page that is looked at asks whether something happened that nobody told: not every git host sends webhooks. */
const POLL_MS = 30_000

export const pullRequest = (app: App, place: PullPlace) =>
  queryOptions({
    queryKey: ['pull', place.owner, place.repo, place.number],
    queryFn: () => app.rest.get(pullPath(place), { schema: pullSchema }),
    refetchInterval: POLL_MS,
  })

export const pullFiles = (app: App, place: PullPlace) =>
  queryOptions({
    queryKey: ['pull-files', place.owner, place.repo, place.number],
    queryFn: () => app.rest.get(`${pullPath(place)}/files`, { schema: z.array(fileSchema) }),
  })
