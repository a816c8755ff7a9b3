import {
  ApiError,
  dataOf,
  forkBodySchema,
  officialTemplatesSchema,
  privacySchema,
  sandboxChangeSchema,
  sandboxSchema,
} from '@boxyard/api'
import type { SandboxAnswer } from '@boxyard/api'
import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import { findUser } from '../accounts/users.ts'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import type { Database } from '../database/database.ts'
import type { App } from '../http/app.ts'
import { likedAmong } from '../likes/likes.ts'
import { limitConcurrency } from '../limitConcurrency.ts'
import { teamLimits } from '../workspaces/limits.ts'
import { findTeams } from '../workspaces/teams.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { authorizeSandboxInTransaction } from './authorizeSandboxes.ts'
import { changeSandbox } from './changeSandbox.ts'
import { trashSandboxes } from './changeSandboxes.ts'
import type { MachineDirectory } from './machineDirectory.ts'
import { restrictedIds } from './counts.ts'
import { createBrowserSandbox } from './createBrowserSandbox.ts'
import { customTemplatesOf } from './customTemplates.ts'
import { registerFileRoutes } from './fileRoutes.ts'
import { registerSandboxMetadata } from './metadataRoutes.ts'
import { iconUrl, presentSandbox } from './presentSandbox.ts'
import { readFiles } from './sandboxFiles.ts'
import {
  accessSandbox,
  authorize,
  authorizeSandbox,
  createDevbox,
  recordAccess,
  templateForkCounts,
} from './sandboxes.ts'
import type { ForkSource, SandboxAccess } from './sandboxes.ts'
import type { TemplateCatalogue } from './templates.ts'

/** A creation holds a connection to the database while its machine may need another, so fewer run at a time than there are. */
const MOST_CREATIONS = 4

const idParams = z.object({ id: z.string().min(1).max(100) })
const sandboxAnswer = { 200: dataOf(sandboxSchema) }

export interface SandboxRoutes {
  templates: TemplateCatalogue
  /** Null where nothing can run devboxes. */
  machines: MachineDirectory | null
}

/** Templates and sandboxes over REST. */
export function registerSandboxes(app: App, context: ServerContext, { templates, machines }: SandboxRoutes): void {
  const { database } = context
  registerFileRoutes(app, context)
  registerSandboxMetadata(app, context)
  const { optional, required } = app.authenticate
  const creating = limitConcurrency(MOST_CREATIONS)

  app.get(
    '/api/v1/sandboxes/templates/official',
    { schema: { response: { 200: officialTemplatesSchema } } },
    async () => {
      const forks = await templateForkCounts(database)
      const sandboxes = templates.all.map((template) => ({
        id: template.id,
        title: template.title,
        alias: template.name,
        description: template.description,
        tags: [...template.tags],
        v2: true,
        browser: template.browser,
        fork_count: forks.get(template.name) ?? 0,
        // A template is forked, never opened, so each use is also its one view.
        view_count: forks.get(template.name) ?? 0,
        environment: template.environment,
        custom_template: { icon_url: iconUrl(template) },
      }))
      return [{ title: 'Official', sandboxes }]
    },
  )

  app.get(
    '/api/v1/sandboxes/templates/:name/icon.svg',
    { schema: { hide: true, params: z.object({ name: z.string().max(100) }) } },
    async (request, reply) => {
      const icon = templates.find(request.params.name)?.icon
      if (!icon) throw new ApiError('NOT_FOUND')
      reply.headers({
        'cache-control': 'public, max-age=86400',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      })
      return reply.type('image/svg+xml').send(createReadStream(icon))
    },
  )

  app.post(
    '/api/v1/sandboxes/:id/fork',
    { onRequest: required, schema: { params: idParams, body: forkBodySchema, response: sandboxAnswer } },
    async (request) => {
      const user = userOf(request)
      const source = await forkSource(request.params.id, user)
      const { team_id: teamId, collection_id: collectionId, privacy, title, v2 } = request.body ?? {}
      const isDevbox = v2 ?? (source.kind === 'template' || source.sandbox.isV2)
      if (!isDevbox) {
        const sandbox = await createBrowserSandbox(database, user, {
          source,
          teamId: teamId ?? null,
          collectionId,
          privacy,
          title,
        })
        request.log.info({ sandbox: sandbox.id, source: source.kind }, 'created a sandbox')
        return { data: await present({ sandbox, role: 'owner' }, user) }
      }
      if (source.kind === 'sandbox' && !source.sandbox.isV2) {
        throw new ApiError('INVALID_INPUT', {
          fields: { v2: ['A sandbox that runs in the browser is forked as one.'] },
        })
      }
      if (!machines) throw new ApiError('MACHINES_UNAVAILABLE')
      const sandbox = await creating(() =>
        createDevbox(database, machines, user, { source, teamId: teamId ?? null, collectionId, privacy, title }),
      )
      request.log.info({ sandbox: sandbox.id, source: source.kind }, 'created a devbox')
      return { data: await present({ sandbox, role: 'owner' }, user) }
    },
  )

  app.get(
    '/api/v1/sandboxes/:id',
    { onRequest: optional, schema: { params: idParams, response: sandboxAnswer } },
    async (request, reply) => {
      const access = await authorizeSandbox(database, request.params.id, request.user, 'see')
      if (request.user) await recordAccess(database, request.user.id, access.sandbox.id, new Date())
      reply.header('cache-control', 'no-store')
      return { data: await present(access, request.user) }
    },
  )

  app.put(
    '/api/v1/sandboxes/:id',
    {
      onRequest: required,
      schema: { params: idParams, body: z.object({ sandbox: sandboxChangeSchema }), response: sandboxAnswer },
    },
    async (request) => {
      const user = userOf(request)
      const access = await inTransaction(database, user, (work) =>
        changeSandbox(work, user, request.params.id, request.body.sandbox),
      )
      return { data: await present(access, user) }
    },
  )

  app.patch(
    '/api/v1/sandboxes/:id/privacy',
    {
      onRequest: required,
      schema: {
        params: idParams,
        body: z.object({ sandbox: z.object({ privacy: privacySchema }) }),
        response: sandboxAnswer,
      },
    },
    async (request) => {
      const user = userOf(request)
      const access = await inTransaction(database, user, (work) =>
        changeSandbox(work, user, request.params.id, request.body.sandbox),
      )
      return { data: await present(access, user) }
    },
  )

  app.delete('/api/v1/sandboxes/:id', { onRequest: required, schema: { params: idParams } }, async (request, reply) => {
    const user = userOf(request)
    const sandbox = await inTransaction(database, user, async (work) => {
      const access = await authorizeSandboxInTransaction(work.tx, request.params.id, user, 'delete')
      await trashSandboxes(work, [access])
      return access.sandbox
    })
    if (sandbox.isV2) await machines?.stop(sandbox.id)
    request.log.info({ sandbox: sandbox.id }, 'moved a sandbox to the trash')
    return reply.code(204).send()
  })

  async function forkSource(id: string, user: User): Promise<ForkSource> {
    const template = templates.find(id)
    if (template) return { kind: 'template', template }
    const access = await authorizeSandbox(database, id, user, 'see')
    authorize(access, 'fork')
    return { kind: 'sandbox', sandbox: access.sandbox }
  }

  async function present(access: SandboxAccess, user: User | null): Promise<SandboxAnswer> {
    const { id, authorId, teamId, template, forkedFromId, collectionId } = access.sandbox
    const [author, [team], forkedFrom, files, [customTemplate], liked, restricted] = await Promise.all([
      authorId === null ? null : findUser(database, authorId),
      findTeams(database, [teamId]),
      forkedFromId === null ? null : accessSandbox(database, forkedFromId, user),
      access.sandbox.isV2 ? { modules: [], directories: [] } : readFiles(database, id),
      customTemplatesOf(database, [id]),
      user === null ? new Set<string>() : likedAmong(database, user.id, [id]),
      collectionId === null ? new Set<string>() : restrictedIn(database, teamId),
    ])
    return presentSandbox(access, {
      author,
      team: team!,
      template: template === null ? null : templates.find(template),
      forkedFrom: forkedFrom?.sandbox ?? null,
      files,
      customTemplate: customTemplate ?? null,
      liked: liked.has(id),
      restricted: restricted.has(id),
    })
  }
}

/** The sandboxes in folders that are beyond the plan of their workspace. */
async function restrictedIn(database: Database, teamId: string): Promise<ReadonlySet<string>> {
  const { includedSandboxes: included } = await teamLimits(database, teamId)
  return restrictedIds(database, [{ teamId, included }])
}
