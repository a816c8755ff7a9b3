import {
  ApiError,
  defaultSdkScopes,
  keyBodySchema,
  keySchema,
  previewHostsBodySchema,
  previewHostsSchema,
  sdkAnswer,
} from '@boxyard/api'
import type { SdkScope } from '@boxyard/api'
import { asc, eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { previewHosts } from '../database/schema.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { createTeam } from '../workspaces/createTeam.ts'
import { memberAuthorization } from '../workspaces/teams.ts'
import { changeApiKey, createApiKey } from './apiKeys.ts'
import type { ApiKey } from './apiKeys.ts'
import { dateOf } from './hostTokenRoutes.ts'
import type { SdkParts } from './registerSdk.ts'
import type { SdkCaller } from './sdkCaller.ts'
import { MOST_RUNNING } from './startMachine.ts'

const API_VERSION = '2023-07-01'

/** What the key is, workspaces, keys, and the hosts that may embed previews. */
export function registerSdkWorkspaces(app: App, { context: { database }, authorization, machines }: SdkParts): void {
  app.get(
    '/csb/sdk/meta/info',
    {
      schema: {
        response: {
          200: z.object({
            api: z.object({ name: z.string(), latest_version: z.string() }),
            auth: z.object({ scopes: z.array(z.string()), team: z.string(), version: z.string() }).optional(),
            rate_limits: z.object({ concurrent_vms: z.object({ limit: z.number(), remaining: z.number() }) }),
          }),
        },
      },
    },
    async (request) => {
      const hasKey = request.headers.authorization !== undefined
      const caller = hasKey ? await authorization.caller(request, 'listVms') : null
      const { length } = await machines.running()
      return {
        api: { name: 'Boxyard', latest_version: API_VERSION },
        ...(caller ? { auth: { scopes: [...caller.scopes], team: caller.teamId, version: API_VERSION } } : {}),
        rate_limits: { concurrent_vms: { limit: MOST_RUNNING, remaining: Math.max(0, MOST_RUNNING - length) } },
      }
    },
  )

  app.post(
    '/csb/sdk/org/workspace',
    {
      schema: {
        body: z.object({ name: z.string().trim().min(1).max(64) }),
        response: { 200: sdkAnswer(z.object({ id: z.string(), name: z.string() })) },
      },
    },
    async (request) => {
      const { user } = await authorization.caller(request, 'createWorkspace')
      const { name } = request.body
      const { id } = await inTransaction(database, user, (work) => createTeam(work, user, name))
      return { data: { id, name } }
    },
  )

  app.post(
    '/csb/sdk/org/workspace/:teamId/tokens',
    {
      schema: {
        params: z.object({ teamId: z.uuid() }),
        body: keyBodySchema,
        response: { 200: sdkAnswer(keySchema.extend({ token: z.string() })) },
      },
    },
    async (request, reply) => {
      const { teamId } = request.params
      const caller = await keyManager(request, teamId)
      const { description, scopes, expires_at: expiresAt } = request.body
      refuseMoreThanOwn(caller, scopes)
      const wanted = {
        description,
        scopes: scopes ?? defaultSdkScopes.filter((scope) => caller.scopes.includes(scope)),
        expiresAt: dateOf(expiresAt),
      }
      const { key, row } = await inTransaction(database, caller.user, async ({ tx, audit }) => {
        const made = await createApiKey(tx, { teamId, userId: caller.user.id }, wanted)
        await audit('apiKey.created', { teamId, detail: { id: made.row.id, scopes: wanted.scopes } })
        return made
      })
      request.log.info({ key: row.id, team: teamId }, 'made an API key')
      reply.header('cache-control', 'no-store')
      return { data: { ...presentKey(row), token: key } }
    },
  )

  app.patch(
    '/csb/sdk/org/workspace/:teamId/tokens/:tokenId',
    {
      schema: {
        params: z.object({ teamId: z.uuid(), tokenId: z.uuid() }),
        body: keyBodySchema,
        response: { 200: sdkAnswer(keySchema) },
      },
    },
    async (request) => {
      const { teamId, tokenId } = request.params
      const caller = await keyManager(request, teamId)
      const { description, scopes, expires_at: expiresAt } = request.body
      refuseMoreThanOwn(caller, scopes)
      const change = { description, scopes, expiresAt: expiresAt === undefined ? undefined : dateOf(expiresAt) }
      const changed = await inTransaction(database, caller.user, async ({ tx, audit }) => {
        await audit('apiKey.changed', { teamId, detail: { id: tokenId, ...change } })
        return changeApiKey(tx, teamId, tokenId, change)
      })
      return { data: presentKey(changed) }
    },
  )

  const hostsAnswer = { 200: sdkAnswer(previewHostsSchema) }
  app.get('/csb/sdk/workspace/preview_hosts', { schema: { response: hostsAnswer } }, async (request) => {
    const { teamId } = await authorization.caller(request, 'managePreviewHosts')
    return { data: await hostsOf(teamId) }
  })
  for (const method of ['POST', 'PUT'] as const) {
    app.route({
      method,
      url: '/csb/sdk/workspace/preview_hosts',
      schema: { body: previewHostsBodySchema, response: hostsAnswer },
      handler: async (request) => {
        const { teamId, user } = await authorization.caller(request, 'managePreviewHosts')
        const hosts = [...new Set(request.body.hosts)]
        await inTransaction(database, user, async ({ tx, audit }) => {
          await audit('previewHosts.changed', { teamId, detail: { [method === 'PUT' ? 'set' : 'added']: hosts } })
          if (method === 'PUT') await tx.delete(previewHosts).where(eq(previewHosts.teamId, teamId))
          if (hosts.length === 0) return
          await tx
            .insert(previewHosts)
            .values(hosts.map((host) => ({ teamId, host })))
            .onConflictDoNothing()
        })
        return { data: await hostsOf(teamId) }
      },
    })
  }

  /** Whoever may make keys for this workspace. A key makes keys for its own workspace only. */
  async function keyManager(request: FastifyRequest, teamId: string): Promise<SdkCaller> {
    const caller = await authorization.caller(request, 'manageKeys')
    const isAdmin = (await memberAuthorization(database, teamId, caller.user.id)) === 'admin'
    if (!isAdmin || (caller.isKey && caller.teamId !== teamId)) {
      throw new ApiError('FORBIDDEN', { detail: 'You are not allowed to manage the keys of this workspace' })
    }
    return caller
  }

  async function hostsOf(teamId: string) {
    const rows = await database
      .select()
      .from(previewHosts)
      .where(eq(previewHosts.teamId, teamId))
      .orderBy(asc(previewHosts.host))
    return { preview_hosts: rows.map(({ host, insertedAt }) => ({ host, inserted_at: insertedAt.toISOString() })) }
  }
}

/** Nobody hands on more than they have. */
function refuseMoreThanOwn(caller: SdkCaller, scopes: readonly SdkScope[] | null | undefined): void {
  const missing = (scopes ?? []).filter((scope) => !caller.scopes.includes(scope))
  if (missing.length === 0) return
  throw new ApiError('FORBIDDEN', {
    detail: `This API key can not hand on what it does not have: ${missing.join(', ')}`,
  })
}

function presentKey({ id, teamId, description, scopes, expiresAt }: ApiKey) {
  return { token_id: id, team_id: teamId, description, scopes, expires_at: expiresAt?.toISOString() ?? null }
}
