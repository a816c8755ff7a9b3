import {
  ApiError,
  dataOf,
  forkBodySchema,
  mayDo,
  officialTemplatesSchema,
  privacySchema,
  sandboxChangeSchema,
  sandboxSchema,
  noContent,
} from '@boxyard/api'
import type { OriginalGitChanges } from '@boxyard/api'
import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { holderOf, userOf } from '../accounts/authentication.ts'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { limitConcurrency } from '../limitConcurrency.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { authorizeSandboxInTransaction } from './authorizeSandboxes.ts'
import { changeSandbox } from './changeSandbox.ts'
import { trashSandboxes } from './changeSandboxes.ts'
import type { MachineDirectory } from './machineDirectory.ts'
import { convertToDevbox } from './convertToDevbox.ts'
import { createBrowserSandbox } from './createBrowserSandbox.ts'
import { registerFileRoutes } from './fileRoutes.ts'
import { registerSandboxMetadata } from './metadataRoutes.ts'
import { describeSandbox } from './describeSandbox.ts'
import { registerDefine } from './defineRoutes.ts'
import { registerImport } from './importRoutes.ts'
import { registerExport } from './exportRoutes.ts'
import { iconUrl } from './presentSandbox.ts'
import { authorize, authorizeSandbox, createDevbox, PRIVATE, recordAccess, templateForkCounts } from './sandboxes.ts'
import type { ForkSource, Sandbox, SandboxAccess } from './sandboxes.ts'
import { registerScreenshots } from './screenshots.ts'
import type { TemplateCatalogue } from './templates.ts'

/** A creation holds a connection to the database while its machine may need another, so fewer run at a time than there are. */
const MOST_CREATIONS = 4

const idParams = z.object({ id: z.string().min(1).max(100) })
const sandboxAnswer = { 200: dataOf(sandboxSchema) }

export interface SandboxRoutes {
  templates: TemplateCatalogue
  /** Null where nothing can run devboxes. */
  machines: MachineDirectory | null
  /** What one that is from a repository has changed there; null where that can not be said. */
  changesInRepository: (user: User, sandbox: Sandbox) => Promise<OriginalGitChanges | null>
}

/** Templates and sandboxes over REST. */
export function registerSandboxes(
  app: App,
  context: ServerContext,
  { templates, machines, changesInRepository }: SandboxRoutes,
): void {
  const { database, tokens } = context
  registerFileRoutes(app, context)
  registerSandboxMetadata(app, context, machines)
  registerExport(app, context, machines)
  registerScreenshots(app, context, templates)
  const { optional, required } = app.authenticate
  const creating = limitConcurrency(MOST_CREATIONS)
  registerDefine(app, context, { machines, creating })
  registerImport(app, context, { machines, creating })

  // The older address is for the page to explore, which shows the same.
  for (const path of ['/api/v1/sandboxes/templates/official', '/api/v1/sandboxes/templates/explore']) {
    app.get(path, { schema: { response: { 200: officialTemplatesSchema } } }, async () => {
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
    })
  }

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
      const { team_id: teamId, collection_id: collectionId, privacy, alias, title = alias, v2 } = request.body ?? {}
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
      const { user } = request
      const { sandbox, role } = access
      // A page that a browser makes ahead is not opened yet; it asks again when it is.
      const isAhead = request.headers['sec-purpose']?.includes('prerender') ?? false
      if (user && !isAhead) await recordAccess(database, user.id, sandbox.id, new Date())
      reply.header('cache-control', 'no-store')
      const [described, changes, secret] = await Promise.all([
        present(access, user),
        user && mayDo(role, 'edit') ? changesInRepository(user, sandbox) : null,
        user && sandbox.privacy === PRIVATE ? tokens.mintPreviewToken(holderOf(request), sandbox.id) : null,
      ])
      return { data: { ...described, original_git_changes: changes, preview_secret: secret } }
    },
  )

  const changeSchema = {
    params: idParams,
    // The first version of the calls nests what others send flat.
    body: z.preprocess(
      (body) => (typeof body === 'object' && body !== null && !('sandbox' in body) ? { sandbox: body } : body),
      z.object({ sandbox: sandboxChangeSchema.extend({ v2: z.literal(true).optional() }) }),
    ),
    response: sandboxAnswer,
  }
  for (const method of ['PUT', 'PATCH'] as const) {
    app.route({
      method,
      url: '/api/v1/sandboxes/:id',
      onRequest: required,
      schema: changeSchema,
      handler: async (request) => {
        const user = userOf(request)
        const { v2, ...change } = request.body.sandbox
        const changed = await inTransaction(database, user, (work) =>
          changeSandbox(work, user, request.params.id, change),
        )
        if (v2 === undefined) return { data: await present(changed, user) }
        const converted = await creating(() => convertToDevbox(context, machines, user, changed.sandbox.id))
        request.log.info({ sandbox: converted.sandbox.id }, 'gave a sandbox a machine')
        return { data: await present(converted, user) }
      },
    })
  }

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

  app.delete(
    '/api/v1/sandboxes/:id',
    { onRequest: required, schema: { params: idParams, response: noContent } },
    async (request, reply) => {
      const user = userOf(request)
      const sandbox = await inTransaction(database, user, async (work) => {
        const access = await authorizeSandboxInTransaction(work.tx, request.params.id, user, 'delete')
        await trashSandboxes(work, [access])
        return access.sandbox
      })
      if (sandbox.isV2) await machines?.stop(sandbox.id)
      request.log.info({ sandbox: sandbox.id }, 'moved a sandbox to the trash')
      return reply.code(204).send()
    },
  )

  async function forkSource(id: string, user: User): Promise<ForkSource> {
    const template = templates.find(id)
    if (template) return { kind: 'template', template }
    const access = await authorizeSandbox(database, id, user, 'see')
    authorize(access, 'fork')
    return { kind: 'sandbox', sandbox: access.sandbox }
  }

  const present = (access: SandboxAccess, user: User | null) => describeSandbox({ database, templates }, access, user)
}
