import { ApiError } from '@boxyard/api'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { AppCookies } from '../http/cookies.ts'
import type { TokenHolder } from '../tokens/tokens.ts'
import { hashSecret } from './secrets.ts'
import { useSession } from './sessions.ts'
import type { SessionUser } from './sessions.ts'
import { firstAdministrator } from './users.ts'
import type { User } from './users.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks. Null for a visitor, and on routes without `authenticate`. */
    user: User | null
    session: RequestSession | null
  }
  interface FastifyInstance {
    /** Hooks for `onRequest`: `optional` lets visitors in, `required` answers them with 401. */
    authenticate: Authenticate
  }
}

/** `id` is null for the administrator's tokens, which are no sessions. */
export type RequestSession = Omit<SessionUser, 'sessionId'> & { sessionId: string | null }

export interface Authenticate {
  optional(request: FastifyRequest, reply: FastifyReply): Promise<void>
  required(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The person of a bearer token or of the administrator's token, or null. */
  bearer(token: string): Promise<User | null>
  /** The session of a connection that Fastify does not handle, or null for a visitor. */
  connection(request: IncomingMessage): Promise<RequestSession | null>
}

/** Decorates requests with who sends them: by session cookie, by bearer token, or by the administrator's, of the settings or of this machine. */
export function registerAuthentication(app: App, { configuration, database, operatorToken }: ServerContext): void {
  // How long it takes to look for a hash tells nothing about the token.
  const administratorHashes = new Set(
    [operatorToken, configuration.adminToken].filter((token) => token !== undefined).map(hashSecret),
  )
  const cookies = new AppCookies(configuration)

  async function byBearer(authorization: string): Promise<RequestSession | null> {
    const token = /^bearer (\S+)$/i.exec(authorization)?.[1]
    if (token === undefined) return null
    if (administratorHashes.has(hashSecret(token))) {
      return { user: await firstAdministrator(database), sessionId: null, kind: 'bearer' }
    }
    const session = await useSession(database, token, { now: new Date(), mayRotate: false })
    // The cookie of a browser is worth nothing outside of it.
    return session?.kind === 'bearer' ? session : null
  }

  async function optional(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { authorization } = request.headers
    if (authorization !== undefined) {
      request.session = await byBearer(authorization)
      // A token that is not valid is told, never taken for a visitor.
      if (!request.session) throw new ApiError('UNAUTHENTICATED', { detail: 'This token is not valid or has expired' })
    } else {
      const token = cookies.sessionOf(request)
      const session =
        token === undefined ? null : await useSession(database, token, { now: new Date(), mayRotate: true })
      request.session = session
      if (session?.nextToken !== undefined) cookies.setSession(reply, session.nextToken)
      const claimsSession = token !== undefined || request.cookies['signedIn'] === 'true'
      if (!session && claimsSession) cookies.clearSession(reply)
    }
    request.user = request.session?.user ?? null
  }

  app.decorateRequest('user', null)
  app.decorateRequest('session', null)
  app.decorate('authenticate', {
    optional,
    async required(request, reply) {
      await optional(request, reply)
      if (!request.user) throw new ApiError('UNAUTHENTICATED')
    },
    bearer: async (token) => (await byBearer(`Bearer ${token}`))?.user ?? null,
    async connection(request) {
      const { authorization, cookie } = request.headers
      if (authorization !== undefined) return byBearer(authorization)
      const token = cookies.sessionIn(app.parseCookie(cookie ?? ''))
      if (token === undefined) return null
      return useSession(database, token, { now: new Date(), mayRotate: false })
    },
  })
}

/** The user of a route that requires one. */
export function userOf(request: FastifyRequest): User {
  if (!request.user) throw new ApiError('UNAUTHENTICATED')
  return request.user
}

/** For whom a token of this route is minted. */
export function holderOf(request: FastifyRequest): TokenHolder {
  return { userId: userOf(request).id, sessionId: request.session?.sessionId ?? null }
}
