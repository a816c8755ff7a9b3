import { ApiError, dataOf, mayDoInTeam, ssoBodySchema, ssoDomainBodySchema, ssoSchema, noContent } from '@boxyard/api'
import type { SsoAnswer } from '@boxyard/api'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ServerContext } from '../../context.ts'
import type { App } from '../../http/app.ts'
import { rateLimit } from '../../http/rateLimit.ts'
import { inTransaction } from '../../outbox/unitOfWork.ts'
import { findTeams, memberAuthorization } from '../../workspaces/teams.ts'
import { userOf } from '../authentication.ts'
import { samlMetadata } from '../providers/samlProvider.ts'
import type { SignInProviders } from '../signInProviders.ts'
import {
  addDomain,
  domainOf,
  findConnection,
  findConnectionOfDomain,
  findConnectionOfTeam,
  listDomains,
  markVerified,
  proofName,
  proofValue,
  proveDomain,
  removeConnection,
  removeDomain,
  saveConnection,
} from './ssoConnections.ts'
import type { ResolveTxt } from './ssoConnections.ts'

const MINUTE = 60_000

/** Single sign-on: where the people of a domain go, and how a workspace sets it up. */
export function registerSso(
  app: App,
  { configuration, database, sealer }: ServerContext,
  options: { providers: SignInProviders; resolveTxt: ResolveTxt },
): void {
  const { providers } = options
  const required = { onRequest: app.authenticate.required }
  const teamParams = z.object({ id: z.uuid() })
  const answered = { 200: dataOf(ssoSchema) }

  app.get(
    '/auth/workos/initialize',
    {
      onRequest: rateLimit({ limit: configuration.signIn.limit, windowMs: MINUTE }),
      schema: { hide: true, querystring: z.object({ email: z.email().max(200) }) },
    },
    async (request, reply) => {
      const { email } = request.query
      const connection = await findConnectionOfDomain(database, domainOf(email))
      // The same for a domain that nobody has and for an address that nobody has: only domains are looked at.
      if (!connection) throw new ApiError('SSO_UNKNOWN')
      reply.header('cache-control', 'no-store')
      const hint = new URLSearchParams({ version: '2', login_hint: email }).toString()
      return { redirect_url: `${configuration.appOrigin}/auth/sso/${connection.id}?${hint}` }
    },
  )

  app.get('/auth/sso/:id/metadata', { schema: { hide: true, params: teamParams } }, async (request, reply) => {
    const connection = await findConnection(database, request.params.id)
    const settings = connection && providers.samlSettings(connection)
    if (!settings) throw new ApiError('NOT_FOUND')
    return reply.type('application/samlmetadata+xml').send(samlMetadata(settings))
  })

  app.get(
    '/api/v1/teams/:id/sso',
    { ...required, schema: { params: teamParams, response: answered } },
    async (request) => {
      const teamId = await authorize(request, request.params.id, 'seeSso')
      return { data: await present(teamId) }
    },
  )

  app.put(
    '/api/v1/teams/:id/sso',
    { ...required, schema: { params: teamParams, body: ssoBodySchema, response: answered } },
    async (request) => {
      const teamId = await authorize(request, request.params.id, 'changeSso')
      const { client_secret: clientSecret, enforced } = request.body
      const { settings } = request.body
      const problem = providers.problemOf(settings)
      if (problem) throw new ApiError('INVALID_INPUT', { fields: { settings: [problem] } })
      await inTransaction(database, userOf(request), (work) =>
        saveConnection(work, sealer, teamId, { settings, clientSecret, enforced }),
      )
      return { data: await present(teamId) }
    },
  )

  app.delete(
    '/api/v1/teams/:id/sso',
    { ...required, schema: { params: teamParams, response: noContent } },
    async (request, reply) => {
      const teamId = await authorize(request, request.params.id, 'changeSso')
      await inTransaction(database, userOf(request), (work) => removeConnection(work, teamId))
      return reply.code(204).send()
    },
  )

  app.post(
    '/api/v1/teams/:id/sso/domains',
    { ...required, schema: { params: teamParams, body: ssoDomainBodySchema, response: answered } },
    async (request) => {
      const teamId = await authorize(request, request.params.id, 'changeSso')
      await addDomain(database, teamId, request.body.domain)
      return { data: await present(teamId) }
    },
  )

  const domainParams = z.object({ id: z.uuid(), domain: z.uuid() })
  app.post(
    '/api/v1/teams/:id/sso/domains/:domain/verify',
    { ...required, schema: { params: domainParams, response: answered } },
    async (request) => {
      const teamId = await authorize(request, request.params.id, 'changeSso')
      const domain = await proveDomain(database, options.resolveTxt, teamId, request.params.domain)
      await inTransaction(database, userOf(request), (work) => markVerified(work, domain))
      return { data: await present(teamId) }
    },
  )

  app.delete(
    '/api/v1/teams/:id/sso/domains/:domain',
    { ...required, schema: { params: domainParams, response: noContent } },
    async (request, reply) => {
      const teamId = await authorize(request, request.params.id, 'changeSso')
      const isRemoved = await inTransaction(database, userOf(request), (work) =>
        removeDomain(work, teamId, request.params.domain),
      )
      if (!isRemoved) throw new ApiError('NOT_FOUND')
      return reply.code(204).send()
    },
  )

  /** For whoever does not belong to a workspace it does not exist. */
  async function authorize(
    request: FastifyRequest,
    teamId: string,
    operation: 'seeSso' | 'changeSso',
  ): Promise<string> {
    const role = await memberAuthorization(database, teamId, userOf(request).id)
    if (role === null) throw new ApiError('NOT_FOUND')
    if (!mayDoInTeam({ role, manager: false }, operation)) throw new ApiError('FORBIDDEN')
    const [team] = await findTeams(database, [teamId])
    if (team?.kind !== 'team') throw new ApiError('FORBIDDEN', { detail: 'A personal workspace has one person only' })
    return teamId
  }

  async function present(teamId: string): Promise<SsoAnswer> {
    const connection = await findConnectionOfTeam(database, teamId)
    const domains = await listDomains(database, teamId)
    return {
      connection: connection && {
        id: connection.id,
        settings: connection.settings,
        has_client_secret: connection.sealedSecret !== null,
        enforced: connection.enforced,
        callback_url: providers.ssoCallback(connection.id),
        metadata_url: connection.settings.kind === 'saml' ? providers.ssoMetadata(connection.id) : null,
      },
      domains: domains.map((domain) => ({
        id: domain.id,
        domain: domain.domain,
        record_name: proofName(domain),
        record_value: proofValue(domain),
        verified_at: domain.verifiedAt?.toISOString() ?? null,
      })),
    }
  }
}
