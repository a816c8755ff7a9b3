import { ApiError, dataOf } from '@boxyard/api'
import {
  isPackageName,
  isPrivatePackage,
  isRegistryAway,
  PackerError,
  packerErrors,
  registryDetail,
  SafeFetch,
  USUAL_DETAIL,
} from '@boxyard/packer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { holderOf } from '../accounts/authentication.ts'
import { findTokenHolder } from '../accounts/index.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { authorizeSandbox } from '../sandboxes/sandboxes.ts'
import { authorizeTeam } from '../workspaces/authorizeTeam.ts'
import type { PrivateRegistryRow } from './graphqlTypes.ts'
import { findRegistries, openKey } from './registries.ts'

/** A page elsewhere asks whether it may before it does. */
const PREFLIGHT_SECONDS = 600
const packageText = z.string().min(1).max(300)
/** What a registry says of a package; its fields are npm's. */
const manifest = z.looseObject({ name: z.string().optional() })

/**
 * What the private registry of a workspace says of a package: for the browser of whoever may change a sandbox of it, and for the pages
 * elsewhere that its administrators trust. The key stays here.
 */
export function registerRegistries(app: App, context: ServerContext): void {
  const { database, registries, sealer, tokens } = context
  const fetch = new SafeFetch({ trustedOrigins: registries.npm === null ? [] : [registries.npm] })
  app.addHook('onClose', () => fetch.close())

  async function answer(reply: FastifyReply, registry: PrivateRegistryRow | undefined, name: string) {
    // One without an address of its own is the registry of this installation, by its kind.
    const base = registry && (registry.registryUrl ?? (registry.registryType === 'npm' ? registries.npm : null))
    if (!isPackageName(name) || !registry || base == null || !isPrivatePackage(name, registry)) {
      throw new ApiError('NOT_FOUND', { detail: 'The private registry of this workspace does not have this package' })
    }
    const key = openKey(sealer, registry)
    const scheme = registry.authType === 'basic' ? 'Basic' : 'Bearer'
    try {
      const said = await fetch.fetch(`${base.replace(/\/+$/, '')}/${name.replace('/', '%2f')}`, {
        accept: 'application/vnd.npm.install-v1+json, application/json',
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `${scheme} ${key}` }),
      })
      if (said.status !== 200) {
        throw await refusal(said.status, said.body)
      }
      return reply
        .header('cache-control', 'no-store')
        .type('application/json')
        .send(said.body as never)
    } catch (error) {
      if (!(error instanceof PackerError)) throw error
      const detail = isRegistryAway(error)
        ? couldNotFetch(USUAL_DETAIL)
        : `The private registry: ${error.message}. ${packerErrors[error.code].next}`
      throw new ApiError('UNAVAILABLE', { detail, cause: error })
    }
  }

  app.get(
    '/api/v1/sandboxes/:id/npm_registry/*',
    {
      onRequest: app.authenticate.required,
      schema: {
        params: z.object({ id: z.string().min(1).max(100), '*': packageText }),
        response: { 200: manifest },
      },
    },
    async (request, reply) => {
      const { sandbox } = await authorizeSandbox(database, request.params.id, request.user, 'edit')
      const [registry] = await findRegistries(database, [sandbox.teamId])
      if (registry && !registry.proxyEnabled)
        throw new ApiError('NOT_FOUND', { detail: 'This workspace has switched the proxy of its private registry off' })
      return answer(reply, registry, request.params['*'])
    },
  )

  app.post(
    '/api/v1/sandpack/token/:teamId',
    {
      onRequest: app.authenticate.required,
      schema: { params: z.object({ teamId: z.guid() }), response: { 200: dataOf(z.object({ token: z.string() })) } },
    },
    async (request, reply) => {
      const { team } = await authorizeTeam(database, request.params.teamId, request.user, 'create')
      reply.header('cache-control', 'no-store')
      return { data: { token: await tokens.mintRegistryToken(holderOf(request), team.id) } }
    },
  )

  const params = z.object({ teamId: z.guid(), '*': packageText })

  /** Lets the page read the answer when the workspace trusts where it comes from. */
  async function trusting(request: FastifyRequest, reply: FastifyReply, teamId: string) {
    const [registry] = await findRegistries(database, [teamId])
    const { origin } = request.headers
    reply.header('vary', 'origin')
    if (origin === undefined) return registry
    if (!registry || !isTrusted(registry, origin)) {
      throw new ApiError('FORBIDDEN', { detail: 'The workspace does not trust the page that asks' })
    }
    reply.header('access-control-allow-origin', origin)
    return registry
  }

  app.options('/api/v1/sandpack/:teamId/npm_registry/*', { schema: { hide: true, params } }, async (request, reply) => {
    await trusting(request, reply, request.params.teamId)
    reply.headers({
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'authorization',
      'access-control-max-age': PREFLIGHT_SECONDS,
    })
    return reply.code(204).send()
  })

  app.get(
    '/api/v1/sandpack/:teamId/npm_registry/*',
    { schema: { params, response: { 200: manifest } } },
    async (request, reply) => {
      const { teamId, '*': name } = request.params
      const registry = await trusting(request, reply, teamId)
      const token = /^bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      const holder = token === undefined ? null : await tokens.verifyRegistryToken(token, teamId)
      const user = holder && (await findTokenHolder(database, holder))
      if (!user) throw new ApiError('UNAUTHENTICATED', { detail: 'This token is not valid or has expired' })
      // Whoever left the workspace since takes nothing along.
      await authorizeTeam(database, teamId, user, 'create')
      return answer(reply, registry, name)
    },
  )
}

function isTrusted({ sandpackTrustedDomains }: PrivateRegistryRow, origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : ''
  return sandpackTrustedDomains.some((domain) =>
    domain.startsWith('*.') ? host.endsWith(domain.slice(1).toLowerCase()) : host === domain.toLowerCase(),
  )
}

const couldNotFetch = (detail: string) => new PackerError('REGISTRY_AWAY', { detail }).message

async function refusal(status: number, body: Readable): Promise<ApiError> {
  const detail = couldNotFetch(await registryDetail(body))
  return new ApiError(status === 404 ? 'NOT_FOUND' : 'UNAVAILABLE', { detail })
}
