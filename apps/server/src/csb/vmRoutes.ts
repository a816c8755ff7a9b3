import {
  hibernationTimeoutBodySchema,
  runningVmsSchema,
  sdkAnswer,
  sdkEmpty,
  sessionBodySchema,
  tierBodySchema,
  tierNames,
  vmStartBodySchema,
} from '@boxyard/api'
import { inArray } from 'drizzle-orm'
import { z } from 'zod'
import { sandboxes } from '../database/schema.ts'
import type { App } from '../http/app.ts'
import { asApiError } from '../machines/asApiError.ts'
import { boxTier } from '../machines/boxTier.ts'
import { CLUSTER, devServerUrl, mintDevServerToken, startAnswerSchema } from '../machines/startAnswer.ts'
import { deleteSandbox } from '../sandboxes/index.ts'
import type { SdkParts } from './registerSdk.ts'
import { machineChange } from './sdkSandboxes.ts'
import { MOST_RUNNING, originOf, startMachine } from './startMachine.ts'

const params = z.object({ id: z.string().min(1).max(100) })
const empty = { params, response: { 200: sdkAnswer(sdkEmpty) } }

/** Starts, stops and configures machines, and opens sessions on them. */
export function registerVms(app: App, parts: SdkParts): void {
  const { authorization, machines } = parts
  const { configuration, database, tokens, log } = parts.context

  app.get(
    '/csb/sdk/vm/clusters',
    {
      schema: {
        response: { 200: sdkAnswer(z.object({ clusters: z.array(z.object({ host: z.string(), slug: z.string() })) })) },
      },
    },
    async (request) => {
      await authorization.caller(request, 'listVms')
      return { data: { clusters: [{ host: new URL(configuration.appOrigin).host, slug: CLUSTER }] } }
    },
  )

  app.get('/csb/sdk/vm/running', { schema: { response: { 200: sdkAnswer(runningVmsSchema) } } }, async (request) => {
    const { teamId } = await authorization.caller(request, 'listVms')
    const running = await machines.running()
    const ids = running.map(({ run }) => run.id)
    const own =
      ids.length === 0
        ? []
        : await database
            .select({ id: sandboxes.id, teamId: sandboxes.teamId })
            .from(sandboxes)
            .where(inArray(sandboxes.id, ids))
    const ownIds = new Set(own.filter((sandbox) => sandbox.teamId === teamId).map(({ id }) => id))
    const vms = running
      .filter(({ run }) => ownIds.has(run.id))
      .map(({ run, tier, lastUsedAt }) => ({
        id: run.id,
        last_active_at: lastUsedAt.getTime(),
        session_started_at: run.startedAt.getTime(),
        specs: { cpu: tier.cpu, memory: tier.memory / 1024, storage: tier.disk / 1024 },
      }))
    return { data: { concurrent_vm_count: running.length, concurrent_vm_limit: MOST_RUNNING, vms } }
  })

  app.post(
    '/csb/sdk/vm/:id/start',
    {
      schema: { params, body: vmStartBodySchema.nullish(), response: { 200: sdkAnswer(startAnswerSchema) } },
    },
    async (request) => {
      const { caller, sandbox } = await authorization.sandbox(request, 'startVm', request.params.id, 'open')
      return { data: await startMachine(parts, request, caller, sandbox, machineChange(request.body ?? {})) }
    },
  )

  app.post('/csb/sdk/vm/:id/hibernate', { schema: empty }, async (request) => {
    const { sandbox } = await authorization.sandbox(request, 'stopVm', request.params.id, 'restart')
    await told(() => machines.hibernate(sandbox.id))
    return { data: {} }
  })

  app.post('/csb/sdk/vm/:id/shutdown', { schema: empty }, async (request) => {
    const { sandbox } = await authorization.sandbox(request, 'stopVm', request.params.id, 'restart')
    await told(() => machines.shutDown(sandbox.id))
    return { data: {} }
  })

  app.delete('/csb/sdk/vm/:id', { schema: empty }, async (request) => {
    const { sandbox } = await authorization.sandbox(request, 'deleteVm', request.params.id, 'delete')
    await deleteSandbox(database, machines, sandbox.id)
    log.info({ sandbox: sandbox.id }, 'deleted a sandbox for good')
    return { data: {} }
  })

  app.post(
    '/csb/sdk/vm/:id/sessions',
    {
      schema: {
        params,
        body: sessionBodySchema,
        response: {
          200: sdkAnswer(
            z.object({
              pitcher_token: z.string(),
              pitcher_url: z.string(),
              user_workspace_path: z.string(),
              username: z.string(),
              capabilities: z.array(z.string()),
              permissions: z.object({}),
            }),
          ),
        },
      },
    },
    async (request) => {
      const { session_id: name, permission } = request.body
      const operation = permission === 'write' ? 'openWriteSession' : 'openReadSession'
      const { sandbox } = await authorization.sandbox(
        request,
        operation,
        request.params.id,
        permission === 'write' ? 'edit' : 'open',
      )
      const { epoch, run } = await told(() => machines.start(sandbox.id))
      const who = { id: `session-${sandbox.id}-${name}`, username: name, name, avatarUrl: null }
      const access = permission === 'write' && !sandbox.isFrozen ? 'write' : 'read'
      return {
        data: {
          pitcher_token: await mintDevServerToken(tokens, sandbox.id, epoch, who, access),
          pitcher_url: devServerUrl(originOf(request, configuration), sandbox.id),
          user_workspace_path: run.workspace,
          username: name,
          capabilities: [],
          permissions: {},
        },
      }
    },
  )

  for (const [method, path] of [
    ['PUT', 'specs'],
    ['POST', 'update_specs'],
  ] as const) {
    app.route({
      method,
      url: `/csb/sdk/vm/:id/${path}`,
      schema: {
        params,
        body: tierBodySchema,
        response: { 200: sdkAnswer(z.object({ id: z.string(), tier: z.enum(tierNames) })) },
      },
      handler: async (request) => {
        const { sandbox } = await authorization.sandbox(request, 'configureVm', request.params.id, 'restart')
        const { tier } = request.body
        await told(() => machines.configure(sandbox.id, { tier: boxTier(tier) }))
        return { data: { id: sandbox.id, tier } }
      },
    })
  }

  app.put(
    '/csb/sdk/vm/:id/hibernation_timeout',
    {
      schema: {
        params,
        body: hibernationTimeoutBodySchema,
        response: { 200: sdkAnswer(z.object({ id: z.string(), hibernation_timeout_seconds: z.number() })) },
      },
    },
    async (request) => {
      const { sandbox } = await authorization.sandbox(request, 'configureVm', request.params.id, 'restart')
      const { hibernation_timeout_seconds: seconds } = request.body
      await told(() => machines.configure(sandbox.id, { idleMs: seconds * 1000 }))
      return { data: { id: sandbox.id, hibernation_timeout_seconds: seconds } }
    },
  )
}

/** Tells what went wrong with a machine in the words of its catalogue. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asApiError(error)
  }
}
