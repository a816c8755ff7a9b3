import { ApiError, noContent } from '@boxyard/api'
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { usesSecureCookies } from '../http/cookies.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { keepCredential, removeCredential } from './gitCredentials.ts'
import type { GitHosts } from './gitHosts.ts'

/** Below the address that is registered for sign-in, which is all a git host asks of a redirect address. */
export const CONNECT_CALLBACK = '/auth/github/callback/repositories'
const MINUTES = 10
const PURPOSE = 'connecting the git host'

/** What each choice lets the platform do at the git host. */
const scopesOf = {
  public_repos: ['user:email', 'public_repo', 'read:org', 'workflow'],
  private_repos: ['user:email', 'repo', 'read:org', 'workflow'],
} as const

const attemptSchema = z.object({
  state: z.string(),
  verifier: z.string(),
  userId: z.string(),
  returnTo: z.string(),
  expiresAt: z.number(),
})
const tokenAnswer = z.object({ access_token: z.string() })

/** Someone lets the platform work with their repositories: asked for when it is needed, never at sign-in. */
export function registerConnectRoutes(app: App, context: ServerContext, hosts: GitHosts): void {
  const { configuration, database, sealer } = context
  const secure = usesSecureCookies(configuration)
  const cookie = `${secure ? '__Host-' : ''}boxyard_connect`
  const redirectUri = `${configuration.appOrigin}${CONNECT_CALLBACK}`
  const hidden = { path: '/', httpOnly: true, secure } as const

  app.get(
    '/auth/github/connect',
    {
      onRequest: app.authenticate.required,
      schema: {
        hide: true,
        querystring: z.object({
          scope: z.enum(['public_repos', 'private_repos']).default('private_repos'),
          return_to: z.string().max(2000).default('/repositories'),
        }),
      },
    },
    async (request, reply) => {
      const attempt = {
        state: randomBytes(32).toString('base64url'),
        verifier: randomBytes(32).toString('base64url'),
        userId: userOf(request).id,
        returnTo: pathOfApp(request.query.return_to, configuration.appOrigin),
        expiresAt: Date.now() + MINUTES * 60_000,
      }
      // The way back is a navigation from another site, which brings no strict cookie: this one says who began.
      reply.setCookie(cookie, sealer.seal(JSON.stringify(attempt), PURPOSE), {
        ...hidden,
        sameSite: 'lax',
        maxAge: MINUTES * 60,
      })
      const target = new URL(`${hosts.url}/login/oauth/authorize`)
      target.search = new URLSearchParams({
        client_id: hosts.clientId,
        redirect_uri: redirectUri,
        scope: scopesOf[request.query.scope].join(' '),
        state: attempt.state,
        code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }).toString()
      return reply.redirect(target.href, 303)
    },
  )

  app.get(
    CONNECT_CALLBACK,
    {
      schema: {
        hide: true,
        querystring: z.object({
          code: z.string().max(500).optional(),
          state: z.string().max(500).optional(),
          error: z.string().max(500).optional(),
        }),
      },
    },
    async (request, reply) => {
      const attempt = openAttempt(request.cookies[cookie])
      reply.clearCookie(cookie, { ...hidden, sameSite: 'lax' })
      const { code, state, error } = request.query
      if (!attempt || attempt.state !== state) {
        throw new ApiError('FORBIDDEN', { detail: 'This answer of the git host is not known here or took too long' })
      }
      if (error !== undefined || code === undefined) return reply.redirect(attempt.returnTo, 303)
      const answer = await hosts.fetch(`${hosts.url}/login/oauth/access_token`, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          client_id: hosts.clientId,
          client_secret: hosts.clientSecret,
          code,
          redirect_uri: redirectUri,
          code_verifier: attempt.verifier,
        }).toString(),
      })
      const parsed = tokenAnswer.safeParse(await answer.json())
      if (!parsed.success) throw new ApiError('FORBIDDEN', { detail: 'The git host did not confirm this' })
      const token = parsed.data.access_token
      const viewer = await hosts.withToken(token).viewer()
      const { userId } = attempt
      await inTransaction(database, { id: userId }, async ({ tx, audit }) => {
        await keepCredential(tx, sealer, { userId, issuer: hosts.url, token, viewer })
        await audit('integration.connected', { userId, detail: { type: 'github', scopes: viewer.scopes } })
      })
      request.log.info({ user: userId, scopes: viewer.scopes }, 'connected an account at the git host')
      return reply.redirect(attempt.returnTo, 303)
    },
  )

  for (const current of ['current', 'current_user']) {
    app.delete(
      `/api/v1/users/${current}/integrations/github`,
      { onRequest: app.authenticate.required, schema: { response: noContent } },
      async (request, reply) => {
        const { id: userId } = userOf(request)
        await inTransaction(database, { id: userId }, async ({ tx, audit }) => {
          if (await removeCredential(tx, userId))
            await audit('integration.removed', { userId, detail: { type: 'github' } })
        })
        return reply.code(204).send()
      },
    )
  }

  function openAttempt(sealed: string | undefined): z.infer<typeof attemptSchema> | null {
    if (sealed === undefined) return null
    try {
      const attempt = attemptSchema.parse(JSON.parse(sealer.open(sealed, PURPOSE)))
      return attempt.expiresAt > Date.now() ? attempt : null
    } catch {
      // Whatever is not sealed by us is no attempt of ours.
      return null
    }
  }
}

/** A path of the app, or the page of repositories for anything else. */
export function pathOfApp(value: string, appOrigin: string): string {
  if (!value.startsWith('/') || !URL.canParse(value, appOrigin)) return '/repositories'
  const url = new URL(value, appOrigin)
  return url.origin === appOrigin ? url.pathname + url.search : '/repositories'
}
