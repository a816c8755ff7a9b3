import { ApiError, dataOf, idleMinutesSchema, noContent } from '@boxyard/api'
import type { SandboxOperation } from '@boxyard/api'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import type { Work } from '../outbox/unitOfWork.ts'
import { removeSecret, secretSchema, secretsOf, setSecret } from '../secrets/secrets.ts'
import { teamLimits } from '../workspaces/limits.ts'
import { personalTeamId } from '../workspaces/teams.ts'
import { authorizeSandboxInTransaction } from './authorizeSandboxes.ts'
import type { AuthorizedSandbox } from './authorizeSandboxes.ts'
import { changeSandboxes } from './changeSandboxes.ts'
import { draftCounts, filedCounts } from './counts.ts'
import { changeCustomTemplate, makeTemplates, unmakeTemplates } from './customTemplates.ts'
import { generateTitle } from './generateTitle.ts'
import type { CustomTemplate } from './graphqlTypes.ts'
import { sandboxesBy } from './lists.ts'
import type { MachineDirectory } from './machineDirectory.ts'
import { templateUrl } from './presentSandbox.ts'

const MOST_TAGS = 20
const MOST_RESOURCES = 30
const idParams = z.object({ id: z.string().min(1).max(100) })
const tagSchema = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._+#-]{0,39}$/u, 'Use letters, digits, spaces and . _ + # -, at most 40.')
const templateBody = z.object({
  template: z.object({
    title: z.string().trim().max(100).nullish(),
    description: z.string().trim().max(500).nullish(),
    color: z
      .string()
      .regex(/^#[0-9a-f]{3,8}$/i, 'Use a colour like #1f6feb.')
      .nullish(),
    icon_url: z.string().trim().max(500).nullish(),
    published: z.boolean().optional(),
  }),
})
const templateAnswer = z.object({
  template: z.object({
    id: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    color: z.string().nullable(),
    icon_url: z.string().nullable(),
    published: z.boolean(),
    url: z.string(),
    v2: z.boolean(),
  }),
})

/** What is around the files of a sandbox over REST: its list, tags, resources, variables, template, machine size. */
export function registerSandboxMetadata(
  app: App,
  { database, sealer }: ServerContext,
  machines: MachineDirectory | null,
): void {
  const onRequest = app.authenticate.required

  /** Runs a command on the sandbox of the address when whoever asks may do this. */
  function inSandbox<T>(
    request: FastifyRequest<{ Params: { id: string } }>,
    operation: SandboxOperation,
    command: (work: Work, access: AuthorizedSandbox) => Promise<T>,
  ): Promise<T> {
    const user = userOf(request)
    return inTransaction(database, user, async (work) =>
      command(work, await authorizeSandboxInTransaction(work.tx, request.params.id, user, operation)),
    )
  }

  const summary = z.object({
    id: z.string(),
    title: z.string().nullable(),
    inserted_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  app.get(
    '/api/v1/sandboxes',
    { onRequest, schema: { response: { 200: dataOf(z.array(summary)) } } },
    async (request) => {
      const list = await sandboxesBy(database, userOf(request).id, { limit: 1000 })
      return {
        data: list.map(({ id, title, insertedAt, updatedAt }) => ({
          id,
          title,
          inserted_at: insertedAt.toISOString(),
          updated_at: updatedAt.toISOString(),
        })),
      }
    },
  )

  app.get(
    '/api/v1/sandboxes/generate_title',
    { schema: { response: { 200: dataOf(z.object({ title: z.string() })) } } },
    async () => ({ data: { title: generateTitle() } }),
  )

  app.get(
    '/api/v1/sandboxes/limits',
    {
      onRequest,
      schema: { response: { 200: dataOf(z.object({ sandbox_count: z.int(), sandbox_limit: z.int() })) } },
    },
    async (request) => {
      const user = userOf(request)
      const teamId = await personalTeamId(database, user.id)
      const [drafts, filed, limits] = await Promise.all([
        draftCounts(database, [teamId]),
        filedCounts(database, [teamId]),
        teamLimits(database, teamId),
      ])
      const count = (drafts.get(`${teamId}/${user.id}`) ?? 0) + (filed.get(teamId)?.filed ?? 0)
      return { data: { sandbox_count: count, sandbox_limit: limits.includedDrafts + limits.includedSandboxes } }
    },
  )

  app.patch(
    '/api/v1/sandboxes/:id/vm_tier',
    {
      onRequest,
      schema: { params: idParams, body: z.object({ vm_tier: z.int().min(1).max(7) }), response: noContent },
    },
    async (request, reply) => {
      const tier = request.body.vm_tier
      const { id, isV2 } = await inSandbox(request, 'changeMachine', async (work, access) => {
        const { includedVmTier } = await teamLimits(work.tx, access.team.id)
        if (tier > includedVmTier) {
          throw new ApiError('LIMIT_REACHED', {
            detail: `You reached the maximum of tier ${includedVmTier} in this plan`,
          })
        }
        const [changed] = await changeSandboxes(work, [access], { vmTier: tier })
        return changed!
      })
      if (isV2) await machines?.resize(id, tier)
      return reply.code(204).send()
    },
  )

  app.patch(
    '/api/v1/sandboxes/:id/idle_minutes',
    {
      onRequest,
      schema: { params: idParams, body: z.object({ idle_minutes: idleMinutesSchema }), response: noContent },
    },
    async (request, reply) => {
      const minutes = request.body.idle_minutes
      const { id } = await inSandbox(request, 'changeMachine', async (work, { sandbox }) => {
        if (!sandbox.isV2) throw new ApiError('NOT_FOUND', { detail: 'This sandbox has no machine' })
        await work.audit('sandbox.machineChanged', { sandboxId: sandbox.id, detail: { idleMinutes: minutes } })
        return sandbox
      })
      await machines?.setIdleTime(id, minutes)
      return reply.code(204).send()
    },
  )

  const tags = { 200: dataOf(z.array(z.string())) }
  app.post(
    '/api/v1/sandboxes/:id/tags',
    { onRequest, schema: { params: idParams, body: z.object({ tag: tagSchema }), response: tags } },
    (request) =>
      inSandbox(request, 'rename', async (work, access) => {
        const next = [...new Set([...access.sandbox.tags, request.body.tag])]
        if (next.length > MOST_TAGS)
          throw new ApiError('LIMIT_REACHED', { detail: `You reached the maximum of ${MOST_TAGS} tags` })
        await changeSandboxes(work, [access], { tags: next })
        return { data: next }
      }),
  )
  app.delete(
    '/api/v1/sandboxes/:id/tags/:tag',
    { onRequest, schema: { params: idParams.extend({ tag: z.string().max(100) }), response: tags } },
    (request) =>
      inSandbox(request, 'rename', async (work, access) => {
        const next = access.sandbox.tags.filter((tag) => tag !== request.params.tag.toLowerCase())
        await changeSandboxes(work, [access], { tags: next })
        return { data: next }
      }),
  )

  const resource = z.url({ protocol: /^https?$/, error: 'Use a web address.' }).max(1000)
  app.post(
    '/api/v1/sandboxes/:id/resources',
    { onRequest, schema: { params: idParams, body: z.object({ external_resource: resource }), response: noContent } },
    async (request, reply) => {
      await inSandbox(request, 'edit', async (work, access) => {
        requireThawed(access)
        const externalResources = [...new Set([...access.sandbox.externalResources, request.body.external_resource])]
        if (externalResources.length > MOST_RESOURCES) {
          throw new ApiError('LIMIT_REACHED', { detail: `You reached the maximum of ${MOST_RESOURCES} resources` })
        }
        await changeSandboxes(work, [access], { externalResources })
      })
      return reply.code(204).send()
    },
  )
  app.delete(
    '/api/v1/sandboxes/:id/resources',
    { onRequest, schema: { params: idParams, body: z.object({ id: z.string().max(1000) }), response: noContent } },
    async (request, reply) => {
      await inSandbox(request, 'edit', async (work, access) => {
        requireThawed(access)
        const externalResources = access.sandbox.externalResources.filter((one) => one !== request.body.id)
        await changeSandboxes(work, [access], { externalResources })
      })
      return reply.code(204).send()
    },
  )

  const variables = { 200: dataOf(z.record(z.string(), z.string())) }
  app.get(
    '/api/v1/sandboxes/:id/env',
    { onRequest, schema: { params: idParams, response: variables } },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return inSandbox(request, 'secrets', async ({ tx }, { sandbox }) => ({
        data: await secretsOf(tx, sealer, { sandboxId: sandbox.id }),
      }))
    },
  )
  app.post(
    '/api/v1/sandboxes/:id/env',
    {
      onRequest,
      schema: { params: idParams, body: z.object({ environment_variable: secretSchema }), response: variables },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return inSandbox(request, 'secrets', async (work, { sandbox }) => {
        const owner = { sandboxId: sandbox.id }
        await setSecret(work, sealer, owner, request.body.environment_variable)
        return { data: await secretsOf(work.tx, sealer, owner) }
      })
    },
  )
  app.delete(
    '/api/v1/sandboxes/:id/env/:name',
    { onRequest, schema: { params: idParams.extend({ name: z.string().max(100) }), response: variables } },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return inSandbox(request, 'secrets', async (work, { sandbox }) => {
        const owner = { sandboxId: sandbox.id }
        await removeSecret(work, owner, request.params.name)
        return { data: await secretsOf(work.tx, sealer, owner) }
      })
    },
  )

  const response = { 200: dataOf(templateAnswer) }
  app.post(
    '/api/v1/sandboxes/:id/templates',
    { onRequest, schema: { params: idParams, body: templateBody, response } },
    (request) =>
      inSandbox(request, 'makeTemplate', async (work, access) => {
        await makeTemplates(work, [access])
        return present(await changeCustomTemplate(work, access.sandbox.id, null, changeOf(request.body)), access)
      }),
  )
  const templateParams = idParams.extend({ templateId: z.guid() })
  app.put(
    '/api/v1/sandboxes/:id/templates/:templateId',
    { onRequest, schema: { params: templateParams, body: templateBody, response } },
    (request) =>
      inSandbox(request, 'makeTemplate', async (work, access) =>
        present(
          await changeCustomTemplate(work, access.sandbox.id, request.params.templateId, changeOf(request.body)),
          access,
        ),
      ),
  )
  app.delete(
    '/api/v1/sandboxes/:id/templates/:templateId',
    { onRequest, schema: { params: templateParams, response } },
    (request) =>
      inSandbox(request, 'makeTemplate', async (work, access) => {
        const [removed] = await unmakeTemplates(work, [access])
        if (removed?.id !== request.params.templateId) {
          throw new ApiError('NOT_FOUND', { detail: 'This sandbox is no template' })
        }
        return present(removed, access)
      }),
  )
}

function requireThawed({ sandbox }: AuthorizedSandbox): void {
  if (sandbox.isFrozen) throw new ApiError('SANDBOX_FROZEN')
}

function changeOf({ template }: z.infer<typeof templateBody>) {
  const { icon_url: iconUrl, ...change } = template
  const given = { ...change, ...(iconUrl === undefined ? {} : { iconUrl }) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<CustomTemplate>
}

function present(
  { id, title, description, color, iconUrl, published }: CustomTemplate,
  { sandbox }: AuthorizedSandbox,
) {
  const template = {
    id,
    title,
    description,
    color,
    icon_url: iconUrl,
    published,
    url: templateUrl(sandbox),
    v2: sandbox.isV2,
  }
  return { data: { template } }
}
