import {
  ApiError,
  currentUserSchema,
  dataOf,
  featuresSchema,
  identitiesSchema,
  sessionErrorBodySchema,
  sessionsSchema,
  noContent,
} from '@boxyard/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { AppCookies } from '../http/cookies.ts'
import { rateLimit } from '../http/rateLimit.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { holderOf, userOf } from './authentication.ts'
import { gitHostName } from './gitHostName.ts'
import { describeCurrentUser } from './describeCurrentUser.ts'
import { listSessions, removeOtherSessions, removeSession, removeSessionOf, revokeToken } from './sessions.ts'
import { forgetLinks } from './signInAttempts.ts'
import type { SignInProviders } from './signInProviders.ts'
import { hasWorkingConnection } from './sso/ssoConnections.ts'
import { findIdentities } from './users.ts'

const MINUTE = 60_000

/** The current user, sign-out, the list of sessions, the ways to sign in, and the tokens a session gives. */
export function registerSession(app: App, context: ServerContext, providers: SignInProviders): void {
  const { configuration, database, sessionSockets, tokens } = context
  const cookies = new AppCookies(configuration)
  const required = { onRequest: app.authenticate.required }

  app.get(
    '/api/v1/users/current',
    { ...required, schema: { response: { 200: dataOf(currentUserSchema) } } },
    async (request, reply) => {
      const user = userOf(request)
      reply.header('cache-control', 'no-store')
      return { data: await describeCurrentUser(context, user) }
    },
  )

  app.delete('/api/v1/users/signout', { ...required, schema: { response: noContent } }, async (request, reply) => {
    const session = request.session
    if (session?.sessionId) {
      await removeSession(database, session.sessionId)
      sessionSockets.cut([session.sessionId])
    }
    if (session?.kind === 'browser') cookies.clearSession(reply)
    return reply.code(204).send()
  })

  app.get(
    '/api/v1/users/current/sessions',
    { ...required, schema: { response: { 200: dataOf(sessionsSchema) } } },
    async (request, reply) => {
      const sessions = await listSessions(database, userOf(request).id, new Date())
      reply.header('cache-control', 'no-store')
      return {
        data: sessions.map((session) => ({
          id: session.id,
          kind: session.kind,
          label: session.label,
          user_agent: session.userAgent,
          inserted_at: session.insertedAt.toISOString(),
          last_used_at: session.lastUsedAt.toISOString(),
          expires_at: session.expiresAt.toISOString(),
          current: session.id === request.session?.sessionId,
        })),
      }
    },
  )

  app.delete(
    '/api/v1/users/current/sessions/:id',
    { ...required, schema: { params: z.object({ id: z.uuid() }), response: noContent } },
    async (request, reply) => {
      const { id } = request.params
      if (!(await removeSessionOf(database, userOf(request).id, id))) throw new ApiError('NOT_FOUND')
      sessionSockets.cut([id])
      if (id === request.session?.sessionId && request.session.kind === 'browser') cookies.clearSession(reply)
      return reply.code(204).send()
    },
  )

  app.delete(
    '/api/v1/users/current/sessions',
    { ...required, schema: { response: noContent } },
    async (request, reply) => {
      const user = userOf(request)
      // What a thief began must not end in a new way into the account.
      await forgetLinks(database, user.id)
      sessionSockets.cut(await removeOtherSessions(database, user.id, request.session?.sessionId ?? null))
      return reply.code(204).send()
    },
  )

  app.get(
    '/api/v1/users/current/identities',
    { ...required, schema: { response: { 200: dataOf(identitiesSchema) } } },
    async (request) => {
      const identities = await findIdentities(database, userOf(request).id)
      return {
        data: identities.map(({ id, provider, login, insertedAt }) => ({
          id,
          provider,
          login,
          inserted_at: insertedAt.toISOString(),
        })),
      }
    },
  )

  app.get('/api/meta/features', { schema: { response: { 200: featuresSchema } } }, async () => ({
    login_with_github: providers.has('github'),
    login_with_google: providers.has('google'),
    login_with_apple: providers.has('apple'),
    login_with_workos: configuration.signIn.ssoOnly || (await hasWorkingConnection(database)),
    git_host_name: gitHostName(configuration.github?.url),
    development: configuration.environment === 'development',
  }))

  app.post(
    '/api/v1/users/session-errors',
    {
      onRequest: rateLimit({ limit: 20, windowMs: MINUTE }),
      schema: { body: sessionErrorBodySchema, response: noContent },
    },
    async (request, reply) => {
      request.log.warn({ reported: request.body }, 'a browser reported a failed sign-in')
      return reply.code(204).send()
    },
  )

  const jwtSchema = { response: { 200: dataOf(z.object({ jwt: z.string() })) } }
  const mintJwt = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-store')
    return { data: { jwt: await tokens.mintSessionToken(holderOf(request)) } }
  }
  app.get('/api/v1/auth/jwt', { ...required, schema: jwtSchema }, mintJwt)
  // Older clients ask for it under the name of the server that once ran their sandboxes.
  for (const current of ['current', 'current_user']) {
    app.post(`/api/v1/users/${current}/sse`, { ...required, schema: jwtSchema }, mintJwt)
  }

  app.get(
    '/api/v1/auth/preview_token',
    {
      ...required,
      schema: {
        // A token for every preview of a person would let the code of one preview read the others.
        querystring: z.object({ sandbox_id: z.string().min(1).max(40) }),
        response: { 200: dataOf(z.object({ token: z.string() })) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { data: { token: await tokens.mintPreviewToken(holderOf(request), request.query.sandbox_id) } }
    },
  )

  app.delete(
    '/api/v1/auth/revoke/:token',
    { ...required, schema: { params: z.object({ token: z.string().max(200) }), response: noContent } },
    async (request, reply) => {
      const user = userOf(request)
      const id = await inTransaction(database, user, async ({ tx, audit }) => {
        const revoked = await revokeToken(tx, user.id, request.params.token)
        if (revoked === null) throw new ApiError('NOT_FOUND')
        await audit('token.revoked', { userId: user.id })
        return revoked
      })
      sessionSockets.cut([id])
      return reply.code(204).send()
    },
  )

  app.get('/.well-known/jwks.json', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300')
    return { keys: [tokens.publicJwk] }
  })
}
