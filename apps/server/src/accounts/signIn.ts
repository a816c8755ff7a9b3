import { ApiError, dataOf, finalizeBodySchema, pendingUserSchema, usernameSchema } from '@boxyard/api'
import { eq, lt } from 'drizzle-orm'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import type { Database } from '../database/database.ts'
import { signInAttempts } from '../database/schema.ts'
import type { App } from '../http/app.ts'
import { AppCookies, SESSION_SECONDS } from '../http/cookies.ts'
import { rateLimit } from '../http/rateLimit.ts'
import { equalSecrets, hashSecret, newSecret } from './secrets.ts'
import { sendProblemPage, sendResultPage } from './signInPage.ts'
import { SignInRefused } from './signInProvider.ts'
import type { SignInProvider, SignInSecrets } from './signInProvider.ts'
import {
  addPendingUser,
  createSession,
  finalizeUser,
  findPendingUser,
  findUserByIdentity,
  isEmailTaken,
  isUsernameAvailable,
  PENDING_SECONDS,
  refreshIdentity,
} from './users.ts'
import type { PendingUser, User } from './users.ts'

const ATTEMPT_SECONDS = 600
const MINUTE = 60_000

/** What the scope names of a sign-in stand for at a git host. */
const gitScopes: Readonly<Record<string, readonly string[]>> = {
  'user:email': [],
  public_repos: ['public_repo', 'read:org', 'workflow'],
  private_repos: ['repo', 'read:org', 'workflow'],
}

/** Sign-in in a popup window, and sign-up for whoever is new. */
export function registerSignIn(app: App, context: ServerContext, provider: SignInProvider): void {
  const { configuration, database } = context
  const cookies = new AppCookies(configuration)
  const limited = { onRequest: rateLimit({ limit: 30, windowMs: MINUTE }) }

  app.get(
    '/auth/github',
    {
      ...limited,
      schema: {
        hide: true,
        querystring: z.object({ version: z.string().optional(), scope: z.string().max(200).default('') }),
      },
    },
    async (request, reply) => {
      const browser = newSecret()
      const secrets = await beginAttempt(database, browser)
      cookies.setBrowser(reply, browser, PENDING_SECONDS)
      const extra = request.query.scope.split(/[\s,]+/).flatMap((scope) => gitScopes[scope] ?? [])
      const target = await provider.authorizationUrl(secrets, ['user:email', ...extra])
      return reply.redirect(target.href, 303)
    },
  )

  app.get('/auth/github/callback', { ...limited, schema: { hide: true } }, async (request, reply) => {
    const callback = new URL(request.url, configuration.appOrigin)
    const browser = cookies.browserOf(request)
    const secrets = await takeAttempt(database, callback.searchParams.get('state'), browser)
    if (!secrets || browser === undefined) {
      return sendProblemPage(request, reply, 400, 'This sign-in is not known here, was used already or took too long.')
    }
    try {
      const identity = await provider.identify(callback, secrets)
      const signedIn = async (userId: string) => {
        cookies.setSession(reply, await beginSession(userId, request.headers['user-agent']))
        cookies.clearBrowser(reply)
        return sendResultPage(request, reply, { type: 'signin' }, configuration.appOrigin)
      }
      const user = await findUserByIdentity(database, identity)
      if (user) {
        await refreshIdentity(database, identity)
        return signedIn(user.id)
      }
      if (await isEmailTaken(database, identity.email)) {
        return sendResultPage(request, reply, { type: 'duplicate' }, configuration.appOrigin)
      }
      const pending = await addPendingUser(database, identity, browser, new Date())
      const created = provider.namesAreOurs ? await finalizeUnasked(pending) : null
      if (created) return signedIn(created.id)
      return sendResultPage(request, reply, { type: 'signup', data: { id: pending.id } }, configuration.appOrigin)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      request.log.warn({ err: error }, 'a sign-in was refused')
      return sendProblemPage(request, reply, 400, 'The git host did not confirm who you are.')
    }
  })

  app.get(
    '/api/v1/users/pending/:id',
    { ...limited, schema: { params: z.object({ id: z.uuid() }), response: { 200: dataOf(pendingUserSchema) } } },
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
      onRequest: rateLimit({ limit: 120, windowMs: MINUTE }),
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
    {
      ...limited,
      schema: { body: finalizeBodySchema, response: { 200: dataOf(z.object({ primary_team_id: z.string() })) } },
    },
    async (request, reply) => {
      const { id, username, name } = request.body
      const pending = await findPendingUser(database, id, cookies.browserOf(request), new Date())
      if (!pending) throw new ApiError('SIGN_UP_EXPIRED')
      const { user, personalTeamId } = await finalizeUser(database, pending, {
        username,
        name: name || null,
        firstAdministers: configuration.github !== undefined,
      })
      cookies.setSession(reply, await beginSession(user.id, request.headers['user-agent']))
      cookies.clearBrowser(reply)
      return { data: { primary_team_id: personalTeamId } }
    },
  )

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

  function beginSession(userId: string, userAgent: string | undefined): Promise<string> {
    const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000)
    return createSession(database, { userId, kind: 'browser', expiresAt, userAgent })
  }
}

async function beginAttempt(database: Database, browser: string): Promise<SignInSecrets> {
  const secrets = { state: newSecret(), codeVerifier: newSecret() }
  const now = new Date()
  await database.delete(signInAttempts).where(lt(signInAttempts.expiresAt, now))
  await database.insert(signInAttempts).values({
    stateHash: hashSecret(secrets.state),
    browserHash: hashSecret(browser),
    codeVerifier: secrets.codeVerifier,
    expiresAt: new Date(now.getTime() + ATTEMPT_SECONDS * 1000),
  })
  return secrets
}

/** Removes the attempt, so that its state works once, and only in the browser that began it. */
async function takeAttempt(
  database: Database,
  state: string | null,
  browser: string | undefined,
): Promise<SignInSecrets | null> {
  if (state === null || browser === undefined) return null
  const [attempt] = await database
    .delete(signInAttempts)
    .where(eq(signInAttempts.stateHash, hashSecret(state)))
    .returning()
  if (!attempt || attempt.expiresAt <= new Date() || !equalSecrets(attempt.browserHash, hashSecret(browser)))
    return null
  return { state, codeVerifier: attempt.codeVerifier }
}
