import type { ListedPullRequest } from '@boxyard/workbench'
import { z } from 'zod'
import type { App } from '../App.ts'
import { pullRequestState } from './pullRequestState.ts'

const listDocument = `query openPullRequests($owner: String!, $repo: String!, $team: ID) {
  project(owner: $owner, repo: $repo, team: $team) {
    pullRequests { number title state draft headBranch baseBranch creatorUsername reviews { username state } }
  }
}`

const listSchema = z.object({
  project: z
    .object({
      pullRequests: z.array(
        z.object({
          number: z.number(),
          title: z.string(),
          state: z.string(),
          draft: z.boolean(),
          headBranch: z.string(),
          baseBranch: z.string(),
          creatorUsername: z.string(),
          reviews: z.array(z.object({ username: z.string(), state: z.string() })),
        }),
      ),
    })
    .nullable(),
})

/** The pull requests of a repository that wait for somebody, the newest first. */
export async function openPullRequests(
  { graphql }: Pick<App, 'graphql'>,
  { owner, repo, workspaceId }: { owner: string; repo: string; workspaceId: string | null },
): Promise<ListedPullRequest[]> {
  const { project } = await graphql.query(listDocument, {
    variables: { owner, repo, team: workspaceId },
    schema: listSchema,
  })
  if (!project) throw new Error(`${owner}/${repo} is in none of your workspaces. The git host lists them.`)
  return project.pullRequests
    .filter(({ state }) => state === 'open')
    .toSorted((a, b) => b.number - a.number)
    .map((pull) => ({
      number: pull.number,
      title: pull.title,
      state: pullRequestState(pull),
      author: pull.creatorUsername,
      branch: pull.headBranch,
      target: pull.baseBranch,
    }))
}
