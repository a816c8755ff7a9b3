import { ApiError, branchPolicies, dataOf, idleMinutesSchema, noContent } from '@boxyard/api'
import type { BranchOperation } from '@boxyard/api'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import type { Queryable } from '../database/database.ts'
import { projects } from '../database/schema.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import type { MachineDirectory } from '../sandboxes/machineDirectory.ts'
import { replaceSecrets, secretSchema, secretsOf } from '../secrets/secrets.ts'
import { personalTeamId } from '../workspaces/teams.ts'
import { authorizeBranch, findBranch, findProjectIn, projectRole } from './projects.ts'
import type { Project } from './projects.ts'
import type { RepositoryService } from './repositoryService.ts'

const name = z.string().min(1).max(250)
const repositoryParams = z.object({ owner: name, repo: name })
const variables = dataOf(z.record(z.string(), z.string()))
const secretsSchema = z.union([
  z.record(secretSchema.shape.name, secretSchema.shape.value),
  z.array(secretSchema).transform((list) => Object.fromEntries(list.map((one) => [one.name, one.value]))),
])

export interface ProjectRoutes {
  repositories: RepositoryService
  machines: MachineDirectory | null
}

/** Where clients that know of managers ask one to stop what it runs for a branch. */
const BRANCH = '/api/v1/sandboxes/branches/:id'

/** What is around the repositories of workspaces over REST: their variables, the way out of a workspace, and stopping a branch. */
export function registerProjectRoutes(
  app: App,
  { database, sealer }: ServerContext,
  { repositories, machines }: ProjectRoutes,
): void {
  const onRequest = app.authenticate.required

  /** The project of a repository in a workspace, the personal one when none is named. For a stranger it does not exist. */
  async function authorized(
    tx: Queryable,
    user: User,
    { owner, repo, teamId }: { owner: string; repo: string; teamId: string | undefined },
    operation: BranchOperation,
  ): Promise<Project> {
    const project = await findProjectIn(tx, { owner, name: repo }, teamId ?? (await personalTeamId(tx, user.id)))
    const role = project ? await projectRole(tx, project, user) : 'none'
    if (!project || !branchPolicies.mayDo(role, 'see')) {
      throw new ApiError('NOT_FOUND', { detail: 'This repository was not imported' })
    }
    branchPolicies.authorize(role, operation)
    return project
  }

  app.get(
    '/api/beta/repos/secrets/:owner/:repo',
    {
      onRequest,
      schema: {
        params: repositoryParams,
        querystring: z.object({ team_id: z.guid().optional() }),
        response: { 200: variables },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const place = { ...request.params, teamId: request.query.team_id }
      const project = await authorized(database, userOf(request), place, 'secrets')
      return { data: await secretsOf(database, sealer, { projectId: project.id }) }
    },
  )

  app.put(
    '/api/beta/repos/secrets/:owner/:repo',
    {
      onRequest,
      schema: {
        params: repositoryParams,
        body: z.object({ secrets: secretsSchema, team_id: z.guid().optional() }),
        response: { 200: variables },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const user = userOf(request)
      return inTransaction(database, user, async (work) => {
        const place = { ...request.params, teamId: request.body.team_id }
        const project = await authorized(work.tx, user, place, 'secrets')
        // Two who replace them at once do so one after the other.
        await work.tx.select({ id: projects.id }).from(projects).where(eq(projects.id, project.id)).for('no key update')
        await replaceSecrets(work, sealer, project, request.body.secrets)
        return { data: await secretsOf(work.tx, sealer, { projectId: project.id }) }
      })
    },
  )

  app.patch(
    '/api/beta/repos/idle_minutes/:owner/:repo',
    {
      onRequest,
      schema: {
        params: repositoryParams,
        body: z.object({ idle_minutes: idleMinutesSchema, team_id: z.guid().optional() }),
        response: noContent,
      },
    },
    async (request, reply) => {
      const user = userOf(request)
      const { idle_minutes: idleMinutes, team_id: teamId } = request.body
      await inTransaction(database, user, async (work) => {
        const project = await authorized(work.tx, user, { ...request.params, teamId }, 'changeMachine')
        await work.tx.update(projects).set({ idleMinutes, updatedAt: new Date() }).where(eq(projects.id, project.id))
        const detail = { projectId: project.id, idleMinutes }
        await work.audit('project.machineChanged', {
          ...(project.teamId === null ? {} : { teamId: project.teamId }),
          detail,
        })
      })
      return reply.code(204).send()
    },
  )

  app.delete(
    '/api/beta/repos/link/github/:owner/:repo/:teamId',
    { onRequest, schema: { params: repositoryParams.extend({ teamId: z.guid() }), response: noContent } },
    async (request, reply) => {
      const user = userOf(request)
      const project = await authorized(database, user, request.params, 'see')
      await repositories.removeProject(user, project)
      return reply.code(204).send()
    },
  )

  // The address of a manager in the query belongs to installations with several; here there is one.
  for (const path of ['/api/beta/sandboxes/branches/:id/instance', '/api/v1/sandboxes/branches/:id/instance', BRANCH]) {
    app.delete(
      path,
      { onRequest, schema: { params: z.object({ id: z.string().min(1).max(100) }), response: noContent } },
      async (request, reply) => {
        const found = await findBranch(database, request.params.id)
        if (!found) throw new ApiError('NOT_FOUND', { detail: 'This branch is not found' })
        await authorizeBranch(database, found.branch, found.project, userOf(request), 'restart')
        await machines?.stop(found.branch.id)
        return reply.code(204).send()
      },
    )
  }
}
