import { ApiError, currentUserSchema, dataOf, noContent } from '@boxyard/api'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import { describeCurrentUser } from '../accounts/describeCurrentUser.ts'
import { sendPage } from '../accounts/signInPage.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { usesSecureCookies } from '../http/cookies.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { findCredential } from '../repositories/gitCredentials.ts'
import { findIntegration, keepIntegration, openIntegration, removeIntegration } from './integrations.ts'
import type { VercelSettings } from './integrationSettings.ts'
import { vercelAccount } from './vercel.ts'

const CALLBACK = '/auth/zeit/callback'
const MINUTES = 10

const integrationsAnswer = z.object({
  github: z
    .object({ login: z.string(), email: z.string().nullable(), scopes: z.array(z.string()), token: z.null() })
    .nullable(),
  zeit: z.object({ email: z.string().nullable(), token: z.string() }).nullable(),
})

/** Accounts elsewhere: what is connected, and connecting Vercel, whose older name is in the addresses. */
export function registerIntegrations(app: App, context: ServerContext): void {
  const { configuration, database, sealer } = context
  const onRequest = app.authenticate.required
  const redirectUri = `${configuration.appOrigin}${CALLBACK}`
  const secure = usesSecureCookies(configuration)
  const cookie = `${secure ? '__Host-' : ''}boxyard_zeit`

  function vercel(): VercelSettings {
    if (configuration.vercel) return configuration.vercel
    throw new ApiError('NOT_SET_UP', { detail: 'This server has no integration at Vercel' })
  }

  for (const current of ['/api/v1/users/current', '/api/v1/users/current_user']) {
    app.get(
      `${current}/integrations`,
      { onRequest, schema: { response: { 200: dataOf(integrationsAnswer) } } },
      async (request, reply) => {
        const user = userOf(request)
        const [git, zeit] = await Promise.all([
          findCredential(database, user.id),
          findIntegration(database, user.id, 'zeit'),
        ])
        reply.header('cache-control', 'no-store')
        return {
          data: {
            // What the git host gave stays on the server: boxes get a ticket for each call instead.
            github: git && { login: git.login, email: user.email, scopes: git.scopes, token: null },
            zeit: zeit && { email: zeit.email, token: openIntegration(sealer, zeit) },
          },
        }
      },
    )

    app.post(
      `${current}/integrations/zeit`,
      {
        onRequest,
        schema: {
          body: z.object({ code: z.string().min(1).max(500) }),
          response: { 200: dataOf(currentUserSchema) },
        },
      },
      async (request, reply) => {
        const user = userOf(request)
        const account = await vercelAccount(vercel(), redirectUri, request.body.code)
        await inTransaction(database, user, (work) => keepIntegration(work, sealer, user.id, 'zeit', account))
        reply.header('cache-control', 'no-store')
        return { data: await describeCurrentUser(context, user) }
      },
    )

    // Allowing it begins at the git host, which the address says: a code alone would belong to nobody.
    app.post(
      `${current}/integrations/github`,
      { onRequest, schema: { response: { 200: dataOf(z.object({ redirect_url: z.string() })) } } },
      async () => ({ data: { redirect_url: '/auth/github/connect?scope=private_repos' } }),
    )

    app.delete(
      `${current}/integrations/zeit`,
      { onRequest, schema: { response: noContent } },
      async (request, reply) => {
        const user = userOf(request)
        await inTransaction(database, user, (work) => removeIntegration(work, user.id, 'zeit'))
        return reply.code(204).send()
      },
    )
  }

  app.get('/auth/zeit', { onRequest, schema: { hide: true } }, async (_request, reply) => {
    const { clientId, url } = vercel()
    const state = randomBytes(32).toString('base64url')
    reply.setCookie(cookie, state, { path: '/', httpOnly: true, secure, sameSite: 'lax', maxAge: MINUTES * 60 })
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, state, response_type: 'code' })
    return reply.redirect(`${url}/oauth/authorize?${query.toString()}`, 303)
  })

  // The page that opened the window sends the code on in the name of its person.
  app.get(
    CALLBACK,
    {
      schema: {
        hide: true,
        querystring: z.object({ code: z.string().max(500).optional(), state: z.string().max(200).optional() }),
      },
    },
    async (request, reply) => {
      const { code, state } = request.query
      const expected = request.cookies[cookie]
      reply.clearCookie(cookie, { path: '/', httpOnly: true, secure, sameSite: 'lax' })
      if (code === undefined || state === undefined || state !== expected) {
        const body = `<h1>Nothing was connected</h1><p>Close this window and try again.</p>`
        return sendPage(reply, request.nonce, { status: 403, title: 'Nothing was connected', body })
      }
      const data = JSON.stringify({ message: { type: 'signin', data: { code } }, appOrigin: configuration.appOrigin })
      const body = `<p>You can close this window.</p>
        <script nonce="${request.nonce}">
          const { message, appOrigin } = ${data.replaceAll('<', '\\u003c')}
          if (window.opener) {
            window.opener.postMessage(message, appOrigin)
            window.close()
          }
        </script>`
      return sendPage(reply, request.nonce, { status: 200, title: 'Connected', body })
    },
  )
}
