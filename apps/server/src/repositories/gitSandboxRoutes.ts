import { ApiError, dataOf, forkBodySchema, mayDo, sandboxSchema } from '@boxyard/api'
import { and, desc, eq, isNull } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import { gits, sandboxes } from '../database/schema.ts'
import type { App } from '../http/app.ts'
import { limitConcurrency } from '../limitConcurrency.ts'
import { createBrowserSandbox } from '../sandboxes/createBrowserSandbox.ts'
import { describeSandbox } from '../sandboxes/describeSandbox.ts'
import type { MachineDirectory } from '../sandboxes/machineDirectory.ts'
import { createDevbox, rolesIn } from '../sandboxes/sandboxes.ts'
import type { TemplateCatalogue } from '../sandboxes/templates.ts'
import { findGitPlace, parseGitPath } from './gitPlace.ts'
import type { RepositoryService } from './repositoryService.ts'

const MOST_CHECKOUTS = 2
/** Newest first; older ones of the same place are found by their own ids. */
const MOST_LOOKED_AT = 100

const params = z.object({ '*': z.string().min(1).max(1000) })
const answer = { 200: dataOf(sandboxSchema) }
const noPlace = () =>
  new ApiError('NOT_FOUND', { detail: 'This is no place in a repository, as github/owner/repo/tree/branch/folder is' })

export interface GitSandboxRoutes {
  templates: TemplateCatalogue
  machines: MachineDirectory | null
  repositories: RepositoryService
}

/** Sandboxes that begin as a folder of a repository, named by its address at the git host. */
export function registerGitSandboxes(
  app: App,
  { database }: ServerContext,
  { templates, machines, repositories }: GitSandboxRoutes,
): void {
  const { optional, required } = app.authenticate
  const checkingOut = limitConcurrency(MOST_CHECKOUTS)

  app.post(
    '/api/v1/sandboxes/fork/github/*',
    { onRequest: required, schema: { params, body: forkBodySchema, response: answer } },
    async (request) => {
      const user = userOf(request)
      const path = parseGitPath(request.params['*'])
      if (!path) throw noPlace()
      const host = await repositories.hosts.asOptional(user)
      const repository = await host.repository(path)
      if (!repository) throw new ApiError('NOT_FOUND', { detail: 'This repository is not found at the git host' })
      const place = await findGitPlace(host, repository, path.tree)
      const { team_id: teamId, collection_id: collectionId, privacy, alias, title = alias, v2 } = request.body ?? {}
      const isDevbox = v2 ?? machines !== null
      if (isDevbox && !machines) throw new ApiError('MACHINES_UNAVAILABLE')
      const sandbox = await checkingOut(() =>
        repositories.withFolder(user, repository, place, async (folder) => {
          const gitId = randomUUID()
          await database.insert(gits).values({ id: gitId, ...place })
          const wish = { teamId: teamId ?? null, collectionId, privacy, title: title ?? repository.name }
          return isDevbox
            ? createDevbox(database, machines!, user, { source: { kind: 'files', folder, gitId }, ...wish })
            : createBrowserSandbox(database, user, { source: { kind: 'folder', folder, gitId }, ...wish })
        }),
      )
      request.log.info({ sandbox: sandbox.id, place }, 'created a sandbox from a repository')
      return { data: await describeSandbox({ database, templates }, { sandbox, role: 'owner' }, user) }
    },
  )

  // The one of this place that was worked on last and that whoever asks may see.
  app.get(
    '/api/v1/sandboxes/github/*',
    { onRequest: optional, schema: { params, response: answer } },
    async (request, reply) => {
      const path = parseGitPath(request.params['*'])
      if (!path) throw noPlace()
      const [branch = null, ...folder] = path.tree
      const rows = await database
        .select({ sandbox: sandboxes })
        .from(sandboxes)
        .innerJoin(gits, eq(gits.id, sandboxes.originalGitId))
        .where(
          and(
            eq(gits.username, path.owner),
            eq(gits.repo, path.name),
            branch === null ? undefined : eq(gits.branch, branch),
            eq(gits.path, folder.join('/')),
            isNull(sandboxes.removedAt),
          ),
        )
        .orderBy(desc(sandboxes.updatedAt))
        .limit(MOST_LOOKED_AT)
      const list = rows.map(({ sandbox }) => sandbox)
      const roles = await rolesIn(database, list, request.user)
      const at = roles.findIndex((role) => mayDo(role, 'see'))
      if (at === -1) throw new ApiError('NOT_FOUND', { detail: 'Nobody has shared a sandbox of this place. Fork it' })
      reply.header('cache-control', 'no-store')
      const access = { sandbox: list[at]!, role: roles[at]! }
      return { data: await describeSandbox({ database, templates }, access, request.user) }
    },
  )
}
