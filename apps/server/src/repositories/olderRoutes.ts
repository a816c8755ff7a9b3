import { ApiError, dataOf } from '@boxyard/api'
import { isBranchName } from '@boxyard/git-host'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { personalTeamId } from '../workspaces/teams.ts'
import { branchAnswer, presentBranch } from './presentBranch.ts'
import { recordBranchAccess, repositoryOf } from './projects.ts'
import type { RepositoryService } from './repositoryService.ts'

const name = z.string().min(1).max(250)
const branchText = name.refine(isBranchName, 'This is not the name of a branch.')
const repositoryParams = z.object({ owner: name, repo: name })
const branchParams = repositoryParams.extend({ '*': branchText })
const answer = { 200: dataOf(branchAnswer) }

/** Importing, branching and forking at the addresses of the older clients, which say with the method what the newer ones say with the path. */
export function registerOlderRoutes(app: App, { database }: ServerContext, repositories: RepositoryService): void {
  const onRequest = app.authenticate.required

  async function imported(user: User, place: { owner: string; repo: string }, teamId: string | undefined) {
    const repository = { owner: place.owner, name: place.repo }
    return repositories.importProject(user, repository, teamId ?? (await personalTeamId(database, user.id)))
  }

  app.post(
    '/api/beta/github/:owner/:repo',
    {
      onRequest,
      schema: {
        params: repositoryParams,
        body: z.object({
          team_id: z.guid().optional(),
          /** Either asks for a new branch; the repository is imported when it is not there yet. */
          source_branch: branchText.optional(),
          new_branch: branchText.optional(),
        }),
        response: answer,
      },
    },
    async (request) => {
      const user = userOf(request)
      const { team_id: teamId, source_branch: from, new_branch: newName } = request.body
      const project = await imported(user, request.params, teamId)
      const branch =
        from === undefined && newName === undefined
          ? await repositories.openBranch(user, project, repositoryOf(project).defaultBranch)
          : await repositories.createBranch(user, project, { name: newName ?? null, from: from ?? null })
      await recordBranchAccess(database, user.id, branch.id)
      return { data: await presentBranch(database, { branch, project }, user) }
    },
  )

  app.post(
    '/api/beta/github/:owner/:repo/*',
    {
      onRequest,
      schema: { params: branchParams, body: z.object({ team_id: z.guid().optional() }).nullish(), response: answer },
    },
    async (request) => {
      const user = userOf(request)
      const project = await imported(user, request.params, request.body?.team_id)
      const branch = await repositories.openBranch(user, project, request.params['*'])
      await recordBranchAccess(database, user.id, branch.id)
      return { data: await presentBranch(database, { branch, project }, user) }
    },
  )

  // A fork in which somebody goes on with a branch.
  app.post(
    '/api/beta/fork/github/:owner/:repo/*',
    {
      onRequest,
      schema: {
        params: branchParams,
        body: z.object({ name: name.optional(), team_id: z.guid().optional(), organization: name.optional() }),
        response: { 200: dataOf(z.object({ owner: z.string(), repo: z.string(), branch: z.string() })) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const { owner, repo, '*': branch } = request.params
      const { organization, name: newName, team_id: teamId } = request.body
      const host = await repositories.hosts.as(user)
      const source = { owner, name: repo }
      if (!(await host.branch(source, branch))) {
        throw new ApiError('NOT_FOUND', { detail: `The repository has no branch ${branch}` })
      }
      const fork = await host.fork(source, { organization: organization ?? null, name: newName ?? null })
      await imported(user, { owner: fork.owner, repo: fork.name }, teamId)
      return { data: { owner: fork.owner, repo: fork.name, branch } }
    },
  )
}
