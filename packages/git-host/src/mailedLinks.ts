import type { FastifyInstance } from 'fastify'
import { GitHostError } from './errors.ts'
import { linkFields, parseFields } from './fields.ts'
import type { GitHostContext } from './gitHost.ts'
import { linkForm, linkSentPage, openLinkForm } from './pages/forms.ts'
import { hashSecret, newSecret } from './secrets.ts'

const LINK_MINUTES = 15
const ASKED_WINDOW_MS = 15 * 60_000
/** Links asked for within the window: for one address of mail, and from one address of the network. */
const ASKED = { email: 3, address: 20 } as const

/** Sign-in with a link that is sent to the address of the account. */
export function registerMailedLinks(app: FastifyInstance, context: GitHostContext): void {
  const { options, prefix } = context
  const { storage, hostName } = options

  app.get<{ Querystring: { return_to?: string } }>('/login/link', async (request, reply) => {
    const returnTo = context.returnPath(request.query.return_to)
    return context.send(reply, 'Sign in without a password', linkForm(context.form(request, reply, returnTo)))
  })

  app.post('/login/link', async (request, reply) => {
    const form = context.readForm(request)
    const returnTo = context.returnPath(form['return_to'])
    try {
      const { email } = parseFields(linkFields, form)
      const asked = await storage.countAttempt(`link|${request.ip}`, ASKED_WINDOW_MS)
      if (asked > ASKED.address) throw new GitHostError('LOCKED_OUT')
      await sendLink(email, returnTo)
      return context.send(reply, 'Look into your mail', linkSentPage())
    } catch (error) {
      if (!(error instanceof GitHostError)) throw error
      const body = linkForm(context.form(request, reply, returnTo, error))
      return context.send(reply, 'Sign in without a password', body, error.status)
    }
  })

  // Programs that look at mails open its links; only the button uses one up. It also says who one is about to be.
  app.get<{ Params: { token: string }; Querystring: { return_to?: string } }>(
    '/login/link/:token',
    async (request, reply) => {
      const { token } = request.params
      const account = await storage.findSignInLink(hashSecret(token))
      if (!account) throw new GitHostError('LINK_EXPIRED')
      const form = context.form(request, reply, context.returnPath(request.query.return_to))
      return context.send(reply, 'Sign in', openLinkForm(form, { login: account.login, hostName, token }))
    },
  )

  app.post<{ Params: { token: string } }>('/login/link/:token', async (request, reply) => {
    const form = context.readForm(request)
    const account = await storage.takeSignInLink(hashSecret(request.params.token))
    if (!account) throw new GitHostError('LINK_EXPIRED')
    await context.startSession(reply, account.id)
    return reply.redirect(context.returnPath(form['return_to']), 303)
  })

  /** Says nothing about whether there is such an account, or whether it was asked for too often. */
  async function sendLink(email: string, returnTo: string): Promise<void> {
    const asked = await storage.countAttempt(`link-to|${hashSecret(email.toLowerCase())}`, ASKED_WINDOW_MS)
    const account = await storage.findAccountByEmail(email)
    if (!account || asked > ASKED.email) return
    const token = newSecret()
    const query = returnTo === `${prefix}/` ? '' : `?return_to=${encodeURIComponent(returnTo)}`
    await storage.addSignInLink(
      {
        tokenHash: hashSecret(token),
        accountId: account.id,
        expiresAt: new Date(context.now().getTime() + LINK_MINUTES * 60_000),
      },
      { email: account.email, login: account.login, url: `${options.publicUrl}/login/link/${token}${query}` },
    )
  }
}
