import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { readAuthorizationRequest } from './clients.ts'
import type { AuthorizationRequest } from './clients.ts'
import type { GitHostContext } from './gitHost.ts'
import { authorizeForm } from './pages/forms.ts'
import { equalSecrets, hashSecret, newSecret } from './secrets.ts'

const CODE_SECONDS = 600
/** Someone who signed in this recently came for this and is not asked again which account to use. */
const FRESH_MS = 60_000

const tokenRequest = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  code: z.string(),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
})

/** Sign-in for other programs: GitHub's OAuth web flow, with PKCE. */
export function registerOAuth(app: FastifyInstance, context: GitHostContext): void {
  const { options, prefix } = context
  const { storage } = options

  app.get('/login/oauth/authorize', async (request, reply) => {
    const authorization = readAuthorizationRequest(request.query, options.clients)
    const session = await context.signedIn(request)
    if (!session) return askToSignIn(request, reply)
    if (context.now().getTime() - session.insertedAt.getTime() < FRESH_MS) {
      return finish(reply, authorization, session.account.id)
    }
    const query = queryOf(request)
    const body = authorizeForm(context.form(request, reply, pathOf(request)), {
      login: session.account.login,
      clientName: authorization.client.name,
      query,
    })
    return context.send(reply, `Continue to ${authorization.client.name}`, body)
  })

  app.post('/login/oauth/authorize', async (request, reply) => {
    const authorization = readAuthorizationRequest(request.query, options.clients)
    context.readForm(request)
    const session = await context.signedIn(request)
    return session ? finish(reply, authorization, session.account.id) : askToSignIn(request, reply)
  })

  // GitHub answers failures of this call with status 200 and an error in the body; its clients look there.
  app.post('/login/oauth/access_token', async (request, reply) => {
    const answer = await exchange(request.body)
    reply.header('cache-control', 'no-store')
    if (request.headers.accept?.includes('application/json')) return answer
    return reply.type('application/x-www-form-urlencoded').send(new URLSearchParams(answer).toString())
  })

  function askToSignIn(request: FastifyRequest, reply: FastifyReply) {
    return reply.redirect(`${prefix}/login?return_to=${encodeURIComponent(pathOf(request))}`, 303)
  }

  function pathOf(request: FastifyRequest): string {
    return `${prefix}/login/oauth/authorize?${queryOf(request)}`
  }

  async function finish(reply: FastifyReply, authorization: AuthorizationRequest, accountId: number) {
    const code = newSecret()
    await storage.addCode({
      codeHash: hashSecret(code),
      accountId,
      clientId: authorization.client.id,
      redirectUri: authorization.redirectUri,
      scopes: authorization.scopes,
      codeChallenge: authorization.codeChallenge,
      expiresAt: new Date(context.now().getTime() + CODE_SECONDS * 1000),
    })
    const target = new URL(authorization.redirectUri)
    target.searchParams.set('code', code)
    if (authorization.state !== undefined) target.searchParams.set('state', authorization.state)
    return reply.redirect(target.href, 303)
  }

  async function exchange(body: unknown): Promise<Record<string, string>> {
    const parsed = tokenRequest.safeParse(body)
    const client = parsed.success ? options.clients.find(({ id }) => id === parsed.data.client_id) : undefined
    if (!parsed.success || !client || !equalSecrets(client.secret, parsed.data.client_secret)) {
      return {
        error: 'incorrect_client_credentials',
        error_description: 'The client_id and/or client_secret passed are incorrect.',
      }
    }
    const { code, redirect_uri: redirectUri, code_verifier: verifier } = parsed.data
    const found = await storage.takeCode(hashSecret(code))
    if (!found || found.clientId !== client.id || !answersChallenge(found.codeChallenge, verifier)) {
      return { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' }
    }
    if (redirectUri !== undefined && redirectUri !== found.redirectUri) {
      return {
        error: 'redirect_uri_mismatch',
        error_description: 'The redirect_uri does not match the one of the code.',
      }
    }
    const token = newSecret('gho_')
    await storage.addToken({
      tokenHash: hashSecret(token),
      accountId: found.accountId,
      clientId: client.id,
      scopes: found.scopes,
    })
    return { access_token: token, token_type: 'bearer', scope: found.scopes.join(',') }
  }
}

function queryOf(request: FastifyRequest): string {
  return new URLSearchParams(request.query as Record<string, string>).toString()
}

function answersChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined
  return verifier !== undefined && equalSecrets(createHash('sha256').update(verifier).digest('base64url'), challenge)
}
