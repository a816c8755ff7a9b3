import { ApiError, dataOf, finalizeBodySchema, pendingUserSchema, usernameSchema } from '@boxyard/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import { sqlState, UNIQUE_VIOLATION } from '../database/database.ts'
import type { App } from '../http/app.ts'
import { AppCookies } from '../http/cookies.ts'
import { rateLimit } from '../http/rateLimit.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { acceptForms } from './acceptForms.ts'
import { newSecret } from './secrets.ts'
import { createSession } from './sessions.ts'
import { beginAttempt, keepAnswer, takeAttempt } from './signInAttempts.ts'
import type { SignInAttempt } from './signInAttempts.ts'
import { sendProblemPage, sendResultPage } from './signInPage.ts'
import type { SignInMessage } from './signInPage.ts'
import { signInFailure } from './signInFailure.ts'
import { SignInRefused } from './signInProvider.ts'
import type { SignInProvider } from './signInProvider.ts'
import { popupProviders } from './signInProviders.ts'
import type { SignInProviders } from './signInProviders.ts'
import { domainOf, findConnectionOfDomain, ownsDomainOf } from './sso/ssoConnections.ts'
import {
  addIdentity,
  addPendingUser,
  finalizeUser,
  findPendingUser,
  findUserByIdentity,
  isEmailTaken,
  isUsernameAvailable,
  PENDING_SECONDS,
  refreshIdentity,
} from './users.ts'
import type { PendingUser, ProviderIdentity, User } from './users.ts'

const MINUTE = 60_000

/** What the scope names of a sign-in stand for at a git host. */
const gitScopes: Readonly<Record<string, readonly string[]>> = {
  'user:email': [],
  public_repos: ['public_repo', 'read:org', 'workflow'],
  private_repos: ['repo', 'read:org', 'workflow'],
}

const unknownAttempt = 'This sign-in is not known here, was used already or took too long.'
const otherDomain = 'Your address does not belong to a domain of the workspace that you signed in for.'
const ssoRequired = 'People with your address sign in with SSO. Choose “Sign in with SSO” and try again.'

const beginQuery = z.object({
  version: z.string().optional(),
  scope: z.string().max(200).default(''),
  login_hint: z.string().max(200).optional(),
  /** Adds the identity to the account of whoever is signed in. */
  link: z.literal('true').optional(),
})

/**
 * Sign-in in a popup window, and sign-up for whoever is new. Only beginnings count against the limit: what was begun can always be
 * ended, because it takes the secret of its browser.
 */
export function registerSignIn(app: App, context: ServerContext, providers: SignInProviders): void {
  const { configuration, database } = context
  const { appOrigin, signIn } = configuration
  const cookies = new AppCookies(configuration)
  const notConfirmed = (route: string) => signInFailure(route, configuration.github?.url)
  const limited = rateLimit({ limit: signIn.limit, windowMs: MINUTE })

  const connectionParams = z.object({ id: z.uuid() })
  for (const name of popupProviders) {
    app.get(
      `/auth/${name}`,
      { onRequest: limited, schema: { hide: true, querystring: beginQuery } },
      (request, reply) => begin(name, request.query, request, reply),
    )
    app.get(`/auth/${name}/callback`, { schema: { hide: true } }, (request, reply) => end(name, request, reply))
  }
  app.get(
    '/auth/sso/:id',
    { onRequest: limited, schema: { hide: true, params: connectionParams, querystring: beginQuery } },
    (request, reply) => begin(`sso/${request.params.id}`, request.query, request, reply),
  )
  app.get('/auth/sso/:id/callback', { schema: { hide: true, params: connectionParams } }, (request, reply) =>
    end(`sso/${request.params.id}`, request, reply),
  )

  // Some providers post their answer. That request comes from another site and brings no cookie of ours, so that what it says is
  // kept until the browser comes by itself.
  void app.register(async (forms: App) => {
    acceptForms(forms)
    forms.post('/auth/apple/callback', { schema: { hide: true } }, (request, reply) => keep('apple', request, reply))
    forms.post('/auth/sso/:id/callback', { schema: { hide: true, params: connectionParams } }, (request, reply) =>
      keep(`sso/${request.params.id}`, request, reply),
    )
  })

  app.get(
    '/api/v1/users/pending/:id',
    { schema: { params: z.object({ id: z.uuid() }), response: { 200: dataOf(pendingUserSchema) } } },
    async (request) => {
      const pending = await findPendingUser(database, request.params.id, cookies.browserOf(request), new Date())
      if (!pending) throw new ApiError('SIGN_UP_EXPIRED')
      const { id, username, name, avatarUrl } = pending
      return { data: { id, username, name, avatar_url: avatarUrl } }
    },
  )

  app.get(
    '/api/v1/users/available/:username',
    {
      // Every keystroke of a sign-up may ask.
      onRequest: rateLimit({ limit: signIn.limit * 4, windowMs: MINUTE }),
      schema: {
        params: z.object({ username: z.string().max(100) }),
        response: { 200: dataOf(z.object({ available: z.boolean() })) },
      },
    },
    async (request) => {
      const { username } = request.params
      const valid = usernameSchema.safeParse(username).success
      return { data: { available: valid && (await isUsernameAvailable(database, username)) } }
    },
  )

  app.post(
    '/api/v1/users/finalize',
    { schema: { body: finalizeBodySchema, response: { 200: dataOf(z.object({ primary_team_id: z.string() })) } } },
    async (request, reply) => {
      const { id, username, name, ...answers } = request.body
      const pending = await findPendingUser(database, id, cookies.browserOf(request), new Date())
      if (!pending) throw new ApiError('SIGN_UP_EXPIRED')
      const { user, personalTeamId } = await finalizeUser(database, pending, {
        username,
        name: name || null,
        // The local git host says by itself who its administrator is.
        firstAdministers: configuration.github !== undefined || pending.provider !== 'github',
        answers: Object.fromEntries(
          Object.entries(answers).filter((answer): answer is [string, string] => !!answer[1]),
        ),
      })
      await startSession(request, reply, user.id)
      return { data: { primary_team_id: personalTeamId } }
    },
  )

  async function begin(
    route: string,
    query: z.output<typeof beginQuery>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const provider = await providers.find(route)
    if (!provider) throw new ApiError('NOT_FOUND')
    const linkUserId = query.link ? await linkingUser(request, reply) : null
    const browser = cookies.browserOf(request) ?? newSecret()
    const secrets = await beginAttempt(database, { provider: route, browser, linkUserId })
    cookies.setBrowser(reply, browser, PENDING_SECONDS)
    const extra = query.scope.split(/[\s,]+/).flatMap((scope) => gitScopes[scope] ?? [])
    return refusable(request, reply, notConfirmed(route), async () => {
      const wishes = { scopes: ['user:email', ...extra], loginHint: query.login_hint }
      return reply.redirect((await provider.authorizationUrl(secrets, wishes)).href, 303)
    })
  }

  /** Only the app's own pages may begin this: a preview is of the same site, and its links bring the session cookie. */
  async function linkingUser(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    if (request.headers['sec-fetch-site'] !== 'same-origin') throw new ApiError('CROSS_SITE')
    await app.authenticate.required(request, reply)
    return request.user!.id
  }

  async function keep(route: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const answer = new URLSearchParams(request.body as Record<string, string>)
    const state = answer.get('state') ?? answer.get('RelayState') ?? ''
    if (!(await keepAnswer(database, route, state, answer.toString()))) {
      return sendProblemPage(request, reply, 400, unknownAttempt)
    }
    return reply.redirect(`/auth/${route}/callback?${new URLSearchParams({ state }).toString()}`, 303)
  }

  async function end(route: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const callback = new URL(request.url, appOrigin)
    const browser = cookies.browserOf(request)
    const state = callback.searchParams.get('state')
    const attempt = await takeAttempt(database, { provider: route, state, browser })
    const provider = attempt && (await providers.find(route))
    if (!provider || browser === undefined) return sendProblemPage(request, reply, 400, unknownAttempt)
    if (attempt.answer !== null) callback.search = attempt.answer
    return refusable(request, reply, notConfirmed(route), async () => {
      const identity = await provider.identify(callback, attempt.secrets)
      const refusal = await refusalOf(identity)
      if (refusal !== null) return sendProblemPage(request, reply, 403, refusal)
      const message = await settle(provider, identity, attempt, browser, request, reply)
      return sendResultPage(request, reply, message, appOrigin)
    })
  }

  /** Why somebody who proved who they are is not let in, or null. */
  async function refusalOf(identity: ProviderIdentity): Promise<string | null> {
    // A workspace vouches for addresses of its own domains and for no others.
    if (identity.teamId !== null) {
      return (await ownsDomainOf(database, identity.teamId, identity.email)) ? null : otherDomain
    }
    const known = await findUserByIdentity(database, identity)
    for (const email of [identity.email, known?.email]) {
      const connection = email === undefined ? null : await findConnectionOfDomain(database, domainOf(email))
      if (connection?.enforced) return ssoRequired
    }
    return null
  }

  async function settle(
    provider: SignInProvider,
    identity: ProviderIdentity,
    attempt: SignInAttempt,
    browser: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SignInMessage> {
    const user = await findUserByIdentity(database, identity)
    if (attempt.linkUserId !== null) return link(attempt.linkUserId, identity, user)
    if (user) {
      await refreshIdentity(database, identity)
      await startSession(request, reply, user.id)
      return { type: 'signin' }
    }
    if (await isEmailTaken(database, identity.email)) return { type: 'duplicate' }
    const pending = await addPendingUser(database, identity, browser, new Date())
    const created = provider.namesAreOurs ? await finalizeUnasked(pending) : null
    if (!created) return { type: 'signup', data: { id: pending.id } }
    await startSession(request, reply, created.id)
    return { type: 'signin' }
  }

  async function link(userId: string, identity: ProviderIdentity, present: User | null): Promise<SignInMessage> {
    if (present) return { type: present.id === userId ? 'signin' : 'duplicate' }
    try {
      await inTransaction(database, { id: userId }, async ({ tx, audit }) => {
        await addIdentity(tx, userId, identity)
        await audit('identity.added', { userId, detail: { provider: identity.provider, login: identity.login } })
      })
      return { type: 'signin' }
    } catch (error) {
      // Somebody else signed up with it in this moment.
      if (sqlState(error) === UNIQUE_VIOLATION) return { type: 'duplicate' }
      throw error
    }
  }

  /** The account of someone whose name at the git host is free here too, or null when a name has to be chosen. */
  async function finalizeUnasked(pending: PendingUser): Promise<User | null> {
    const { login: username, name } = pending
    if (pending.username !== username || !usernameSchema.safeParse(username).success) return null
    try {
      return (await finalizeUser(database, pending, { username, name, firstAdministers: false })).user
    } catch (error) {
      // Somebody else took the name in this moment.
      if (error instanceof ApiError && error.code === 'USERNAME_TAKEN') return null
      throw error
    }
  }

  async function startSession(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void> {
    const userAgent = request.headers['user-agent']
    cookies.setSession(reply, await createSession(database, { userId, kind: 'browser', userAgent }))
    cookies.clearBrowser(reply)
  }
}

async function refusable(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: string,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error
    request.log.warn({ err: error }, 'a sign-in was refused')
    return sendProblemPage(request, reply, 400, refusal)
  }
}
