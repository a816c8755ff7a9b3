import { ApiError, currentUserSchema, dataOf, featuresSchema } from '@boxyard/api'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { AppCookies, SESSION_SECONDS } from '../http/cookies.ts'
import { userOf } from './authentication.ts'
import { presentCurrentUser } from './presentUser.ts'
import { createSession, findIdentity, removeSession, revokeToken } from './users.ts'

/** The current user, sign-out, the ways to sign in, and the tokens a session gives. */
export function registerSession(app: App, { configuration, database, tokens }: ServerContext): void {
  const cookies = new AppCookies(configuration)
  const required = { onRequest: app.authenticate.required }

  app.get(
    '/api/v1/users/current',
    { ...required, schema: { response: { 200: dataOf(currentUserSchema) } } },
    async (request, reply) => {
      const user = userOf(request)
      reply.header('cache-control', 'no-store')
      return { data: presentCurrentUser(user, await findIdentity(database, user.id)) }
    },
  )

  app.delete('/api/v1/users/signout', required, async (request, reply) => {
    const session = request.session
    if (session?.sessionId) await removeSession(database, session.sessionId)
    if (session?.kind === 'browser') cookies.clearSession(reply)
    return reply.code(204).send()
  })

  app.get('/api/meta/features', { schema: { response: { 200: featuresSchema } } }, async () => ({
    login_with_github: true,
    login_with_google: false,
    login_with_apple: false,
    login_with_workos: false,
    git_host_name: gitHostName(configuration.github?.url),
  }))

  app.get(
    '/api/v1/auth/jwt',
    { ...required, schema: { response: { 200: dataOf(z.object({ jwt: z.string() })) } } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { data: { jwt: await tokens.mintSessionToken(userOf(request).id) } }
    },
  )

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
      return { data: { token: await tokens.mintPreviewToken(userOf(request).id, request.query.sandbox_id) } }
    },
  )

  app.get(
    '/api/v1/auth/auth-token',
    { ...required, schema: { response: { 200: dataOf(z.object({ token: z.string() })) } } },
    async (request, reply) => {
      const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000)
      const userAgent = request.headers['user-agent']
      reply.header('cache-control', 'no-store')
      return {
        data: {
          token: await createSession(database, { userId: userOf(request).id, kind: 'bearer', expiresAt, userAgent }),
        },
      }
    },
  )

  app.delete(
    '/api/v1/auth/revoke/:token',
    { ...required, schema: { params: z.object({ token: z.string().max(200) }) } },
    async (request, reply) => {
      if (!(await revokeToken(database, userOf(request).id, request.params.token))) throw new ApiError('NOT_FOUND')
      return reply.code(204).send()
    },
  )

  app.get('/.well-known/jwks.json', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300')
    return { keys: [tokens.publicJwk] }
  })
}

function gitHostName(url: string | undefined): string | null {
  if (url === undefined) return 'Boxyard'
  return url === 'https://github.com' ? null : new URL(url).host
}
