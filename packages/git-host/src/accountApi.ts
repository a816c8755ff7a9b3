import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GitHostContext } from './gitHost.ts'
import { html } from './pages/html.ts'
import { hashSecret } from './secrets.ts'
import type { GitAccount } from './storage.ts'

/** GitHub's REST API as far as it says who someone is, below `/api/v3`. */
export function registerAccountApi(app: FastifyInstance, context: GitHostContext): void {
  const { options } = context

  app.get('/api/v3/user', async (request, reply) => {
    const access = await authenticate(request, reply, '')
    return access ? presentAccount(access.account, options.publicUrl) : reply
  })

  app.get('/api/v3/user/emails', async (request, reply) => {
    const access = await authenticate(request, reply, 'user, user:email')
    if (!access) return reply
    if (!access.scopes.some((scope) => scope === 'user' || scope === 'user:email')) {
      return reply.code(404).send({ message: 'Not Found', documentation_url: options.publicUrl, status: '404' })
    }
    const { email, emailVerified: verified } = access.account
    return [{ email, primary: true, verified, visibility: 'private' }]
  })

  // A letter on a color that follows from the id; it says nothing that the login does not say.
  app.get<{ Params: { id: string; letter: string } }>('/avatars/:id/:letter', async (request, reply) => {
    const hue = (Number.parseInt(request.params.id, 10) * 137) % 360
    const letter = request.params.letter.slice(0, 1).toUpperCase()
    const picture = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
      <rect width="64" height="64" fill="hsl(${Number.isNaN(hue) ? 0 : hue} 45% 40%)" />
      <text
        x="32"
        y="43"
        font-family="system-ui, sans-serif"
        font-size="32"
        font-weight="600"
        fill="#fff"
        text-anchor="middle"
      >
        ${letter}
      </text>
    </svg>`
    return reply
      .headers({ 'cache-control': 'public, max-age=86400', 'content-security-policy': "default-src 'none'; sandbox" })
      .type('image/svg+xml')
      .send(picture.text)
  })

  async function authenticate(request: FastifyRequest, reply: FastifyReply, accepted: string) {
    const token = /^(?:bearer|token) (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const access = token === undefined ? null : await options.storage.findToken(hashSecret(token))
    if (!access) {
      reply.code(401).send({ message: 'Bad credentials', documentation_url: options.publicUrl, status: '401' })
      return null
    }
    reply.headers({ 'x-oauth-scopes': access.scopes.join(', '), 'x-accepted-oauth-scopes': accepted })
    return access
  }
}

function presentAccount(account: GitAccount, publicUrl: string) {
  const moment = account.insertedAt.toISOString().replace(/\.\d+Z$/, 'Z')
  return {
    login: account.login,
    id: account.id,
    avatar_url: `${publicUrl}/avatars/${account.id}/${account.login.slice(0, 1)}`,
    url: `${publicUrl}/api/v3/users/${account.login}`,
    html_url: `${publicUrl}/${account.login}`,
    type: 'User',
    site_admin: account.administrator,
    name: account.name,
    email: account.email,
    bio: null,
    company: null,
    created_at: moment,
    updated_at: moment,
  }
}
