import { ApiError, branchPolicies, dataOf, noContent } from '@boxyard/api'
import { isBranchName } from '@boxyard/git-host'
import type { RepositoryName } from '@boxyard/git-host'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { egressAddress } from '../machines/boxEnvironment.ts'
import { personalTeamId } from '../workspaces/teams.ts'
import { isWriter } from './isWriter.ts'
import { mintTicket } from './gitTickets.ts'
import {
  authorizeBranch,
  branchAccessTimes,
  branchesOf,
  branchRole,
  findBranch,
  findBranchNamed,
  recordBranchAccess,
  repositoryOf,
} from './projects.ts'
import type { Branch, Project } from './projects.ts'
import { branchAnswer, presentBranch } from './presentBranch.ts'
import type { RepositoryService } from './repositoryService.ts'

const name = z.string().min(1).max(250)
const branchText = name.refine(isBranchName, 'This is not the name of a branch.')
const repositoryParams = z.object({ owner: name, repo: name })
const branchParams = repositoryParams.extend({ '*': branchText })
const workspaceQuery = z.object({ workspace_id: z.guid().optional() })
const addressQuery = workspaceQuery.extend({
  /** Opens nothing in a workspace that the address does not name. */
  prevent_workspace_redirect: z.stringbool().default(false),
})
const idParams = z.object({ id: z.string().min(1).max(100) })

const foundRepository = z.object({
  id: z.string(),
  full_name: z.string(),
  private: z.boolean(),
  authorization: z.enum(['READ', 'WRITE']),
  app_installed: z.boolean(),
})
const allBranches = z.object({
  default: z.object({ name: z.string() }),
  branches: z.array(
    z.object({
      id: z.string().nullable(),
      name: z.string(),
      contribution: z.boolean(),
      upstream: z.boolean(),
      last_accessed_at: z.string().nullable(),
    }),
  ),
})
const credentials = z.object({ origin: z.string(), username: z.string(), password: z.string() })

/** Repositories and branches over REST, for the editor. */
export function registerRoutes(app: App, { database, sealer }: ServerContext, repositories: RepositoryService): void {
  const { optional, required } = app.authenticate

  const present = (branch: Branch, project: Project, user: User | null) =>
    presentBranch(database, { branch, project }, user)

  async function visible(id: string, user: User | null) {
    const found = await findBranch(database, id)
    const role = found ? await branchRole(database, found.branch, found.project, user) : 'none'
    if (!found || !branchPolicies.mayDo(role, 'see'))
      throw new ApiError('NOT_FOUND', { detail: 'This branch is not found' })
    return found
  }

  /** A branch that has a box, by its name; null for the default branch. */
  async function opened(
    user: User | null,
    repository: RepositoryName,
    branchName: string | null,
    { workspace_id: teamId, prevent_workspace_redirect: stays }: z.output<typeof addressQuery>,
  ) {
    if (user && !stays) await repositories.refuseOutsiders(user, repository)
    const project = await repositories.projectAt(user, repository, { teamId: teamId ?? null, stays })
    const found =
      project && (await findBranchNamed(database, project.id, branchName ?? repositoryOf(project).defaultBranch, user))
    if (!project || !found) throw new ApiError('NOT_FOUND', { detail: 'Repository or branch not found' })
    const { branch } = await visible(found.id, user)
    if (user) await recordBranchAccess(database, user.id, branch.id)
    return present(branch, project, user)
  }

  app.get(
    '/api/v1/sandboxes/branches/:id',
    { onRequest: optional, schema: { params: idParams, response: { 200: dataOf(branchAnswer) } } },
    async (request) => {
      const { branch, project } = await visible(request.params.id, request.user)
      if (request.user) await recordBranchAccess(database, request.user.id, branch.id)
      return { data: await present(branch, project, request.user) }
    },
  )

  for (const base of ['/api/v1', '/api/beta']) {
    app.patch(
      `${base}/sandboxes/branches/:id`,
      {
        onRequest: required,
        schema: { params: idParams, body: z.object({ name: branchText }), response: { 200: dataOf(branchAnswer) } },
      },
      async (request) => {
        const user = userOf(request)
        await repositories.renameBranch(user, request.params.id, request.body.name)
        const { branch, project } = await visible(request.params.id, user)
        return { data: await present(branch, project, user) }
      },
    )
  }

  // The editor of a branch: found, or imported when whoever asks may.
  app.get(
    '/api/beta/github/:owner/:repo/*',
    {
      onRequest: optional,
      schema: { params: branchParams, querystring: addressQuery, response: { 200: dataOf(branchAnswer) } },
    },
    async (request) => {
      const { owner, repo, '*': branchName } = request.params
      return { data: await opened(request.user, { owner, name: repo }, branchName, request.query) }
    },
  )

  // The address of the default branch.
  app.get(
    '/api/beta/github/:owner/:repo',
    {
      onRequest: optional,
      schema: { params: repositoryParams, querystring: addressQuery, response: { 200: dataOf(branchAnswer) } },
    },
    async (request) => {
      const { owner, repo } = request.params
      return { data: await opened(request.user, { owner, name: repo }, null, request.query) }
    },
  )

  // The address of a branch, for whoever is signed in: what nobody opened so far gets a box, and what is new is made or imported.
  app.post(
    '/api/beta/open/github/:owner/:repo',
    {
      onRequest: required,
      schema: {
        params: repositoryParams,
        body: z.object({
          branch: branchText.optional(),
          workspace_id: z.guid().optional(),
          import: z.boolean().default(false),
          create: z.boolean().default(false),
          prevent_workspace_redirect: z.boolean().default(false),
        }),
        response: { 200: dataOf(branchAnswer.extend({ imported: z.boolean() })) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const { branch: wanted, workspace_id: teamId, import: isImport, create: isNew } = request.body
      const stays = request.body.prevent_workspace_redirect
      const { branch, project, imported } = await repositories.openAddress(
        user,
        { owner: request.params.owner, name: request.params.repo },
        { branch: wanted ?? null, teamId: teamId ?? null, isImport, isNew, stays },
      )
      await recordBranchAccess(database, user.id, branch.id)
      return { data: { ...(await present(branch, project, user)), imported } }
    },
  )

  app.post(
    '/api/beta/import/github/:owner/:repo',
    {
      onRequest: required,
      schema: {
        params: repositoryParams,
        body: z.object({ team_id: z.guid().optional(), branch: branchText.optional() }),
        response: { 200: dataOf(branchAnswer) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const teamId = request.body.team_id ?? (await personalTeamId(database, user.id))
      const project = await repositories.importProject(
        user,
        { owner: request.params.owner, name: request.params.repo },
        teamId,
      )
      const branch = await repositories.openBranch(
        user,
        project,
        request.body.branch ?? repositoryOf(project).defaultBranch,
      )
      await recordBranchAccess(database, user.id, branch.id)
      return { data: await present(branch, project, user) }
    },
  )

  app.post(
    '/api/beta/sandboxes/github/:owner/:repo',
    {
      onRequest: required,
      schema: {
        params: repositoryParams,
        body: z.object({
          source_branch: branchText.optional(),
          new_branch: branchText.optional(),
          workspace_id: z.guid().optional(),
        }),
        response: { 200: dataOf(branchAnswer) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const { source_branch: from, new_branch: newName, workspace_id: teamId } = request.body
      const project = await repositories.projectFor(
        user,
        { owner: request.params.owner, name: request.params.repo },
        teamId ?? null,
      )
      if (!project) throw new ApiError('NOT_FOUND', { detail: 'This repository was not imported' })
      const branch = await repositories.createBranch(user, project, { name: newName ?? null, from: from ?? null })
      await recordBranchAccess(database, user.id, branch.id)
      return { data: await present(branch, project, user) }
    },
  )

  app.get(
    '/api/beta/sandboxes/github/:owner/:repo/all_branches',
    {
      onRequest: required,
      schema: { params: repositoryParams, querystring: workspaceQuery, response: { 200: dataOf(allBranches) } },
    },
    async (request) => {
      const user = userOf(request)
      const project = await repositories.projectFor(
        user,
        { owner: request.params.owner, name: request.params.repo },
        request.query.workspace_id ?? null,
      )
      if (!project) throw new ApiError('NOT_FOUND', { detail: 'This repository was not imported' })
      const repository = repositoryOf(project)
      const upstream = await (await repositories.hosts.as(user)).branches(repository)
      const local = (await branchesOf(database, [project.id])).filter(
        ({ contribution, ownerId }) => !contribution || ownerId === user.id,
      )
      const times = await branchAccessTimes(
        database,
        user.id,
        local.map(({ id }) => id),
      )
      const names = new Set([...upstream.map((branch) => branch.name), ...local.map((branch) => branch.name)])
      return {
        data: {
          default: { name: repository.defaultBranch },
          branches: [...names].toSorted().map((branchName) => {
            const own = local.find((branch) => branch.name === branchName)
            return {
              id: own?.id ?? null,
              name: branchName,
              contribution: own?.contribution ?? false,
              upstream: upstream.some((branch) => branch.name === branchName),
              last_accessed_at: own ? (times.get(own.id)?.toISOString() ?? null) : null,
            }
          }),
        },
      }
    },
  )

  app.delete(
    '/api/beta/sandboxes/github/:owner/:repo/*',
    { onRequest: required, schema: { params: branchParams, querystring: workspaceQuery, response: noContent } },
    async (request, reply) => {
      const user = userOf(request)
      const { owner, repo, '*': branchName } = request.params
      const project = await repositories.projectFor(user, { owner, name: repo }, request.query.workspace_id ?? null)
      const branch = project && (await findBranchNamed(database, project.id, branchName, user))
      if (!branch) throw new ApiError('NOT_FOUND', { detail: 'This branch is not found' })
      await repositories.removeBranch(user, branch.id)
      return reply.code(204).send()
    },
  )

  app.post(
    '/api/beta/fork/github/:owner/:repo',
    {
      onRequest: required,
      schema: {
        params: repositoryParams,
        body: z.object({
          name: name.optional(),
          team_id: z.guid().optional(),
          organization: name.optional(),
          /** A branch to begin with: its name, or true for one that is made up. */
          create_branch: z.union([z.boolean(), branchText]).optional(),
        }),
        response: { 200: dataOf(z.object({ owner: z.string(), repo: z.string(), branch: z.string() })) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const source = { owner: request.params.owner, name: request.params.repo }
      const { organization, name: newName, team_id: teamId, create_branch: wanted = false } = request.body
      const host = await repositories.hosts.as(user)
      const fork = await host.fork(source, { organization: organization ?? null, name: newName ?? null })
      const project = await repositories.importProject(user, fork, teamId ?? (await personalTeamId(database, user.id)))
      const made =
        wanted === false
          ? null
          : await repositories.createBranch(user, project, { name: wanted === true ? null : wanted, from: null })
      return { data: { owner: fork.owner, repo: fork.name, branch: made?.name ?? fork.defaultBranch } }
    },
  )

  // Among the repositories of one's own account and organizations.
  app.get(
    '/api/beta/repos/search/github',
    {
      onRequest: required,
      schema: {
        querystring: z.object({
          query: z.string().trim().min(1).max(100),
          owner: name.optional(),
          page: z.coerce.number().int().min(1).max(1000).default(1),
          per_page: z.coerce.number().int().min(1).max(100).default(30),
        }),
        response: { 200: dataOf(z.object({ repositories: z.array(foundRepository), has_more: z.boolean() })) },
      },
    },
    async (request) => {
      const { query, owner, page, per_page: perPage } = request.query
      const found = await repositories.search(userOf(request), { query, owner: owner ?? null, page, perPage })
      return {
        data: {
          has_more: found.nextPage !== null,
          repositories: found.items.map((each) => ({
            id: String(each.id),
            full_name: `${each.owner}/${each.name}`,
            private: each.private,
            authorization: isWriter(each) ? ('WRITE' as const) : ('READ' as const),
            app_installed: found.appInstalled(each),
          })),
        },
      }
    },
  )

  app.get(
    '/api/beta/repos/validate/github/:owner/:repo',
    {
      onRequest: required,
      schema: {
        params: repositoryParams,
        response: { 200: z.object({ valid: z.boolean(), message: z.string().optional() }) },
      },
    },
    async (request) => {
      const host = await repositories.hosts.asOptional(userOf(request))
      const repository = await host.repository({ owner: request.params.owner, name: request.params.repo })
      return repository
        ? { valid: true }
        : { valid: false, message: 'The repository is not found, or your account at the git host may not see it.' }
    },
  )

  // For one pull or push of the box: it is exchanged for the person's own token outside of it.
  app.post(
    '/api/v1/sandboxes/branches/:id/git_credentials',
    {
      onRequest: required,
      schema: {
        params: idParams,
        body: z.object({ use: z.enum(['pull', 'push']).default('pull') }).nullish(),
        response: { 200: dataOf(credentials) },
      },
    },
    async (request, reply) => {
      const user = userOf(request)
      const isPush = request.body?.use === 'push'
      const { branch, project } = await visible(request.params.id, user)
      await authorizeBranch(database, branch, project, user, isPush ? 'edit' : 'open')
      await repositories.hosts.credentialOf(user)
      const fork = isPush && branch.contribution ? await repositories.pushTarget(user, project) : null
      reply.header('cache-control', 'no-store')
      return {
        data: {
          origin: egressAddress,
          username: user.username,
          password: mintTicket(
            sealer,
            { userId: user.id, boxId: branch.id, ...(fork && { pushTo: `${fork.owner}/${fork.name}` }) },
            new Date(),
          ),
        },
      }
    },
  )
}
