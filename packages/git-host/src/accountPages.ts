import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GitHostError } from './errors.ts'
import { joinFields, parseFields, signInFields } from './fields.ts'
import type { GitHostContext } from './gitHost.ts'
import { homePage, joinForm, signInForm } from './pages/forms.ts'
import { hashPassword, verifyPassword } from './password.ts'
import { hashSecret, newSecret } from './secrets.ts'

const DAY_MS = 86_400_000
const INVITATION_DAYS = 7

/** Attempts to sign in within the window: with one name from one address, with one name, from one address. */
const ATTEMPT_WINDOW_MS = 15 * 60_000
const ATTEMPTS = { nameAndAddress: 5, name: 50, address: 50 } as const

/** Sign in, sign up, sign out, and the start page. */
export function registerAccountPages(app: FastifyInstance, context: GitHostContext): void {
  const { options, cookies, prefix } = context
  const { storage, hostName } = options

  app.get('/', async (request, reply) => {
    const session = await context.signedIn(request)
    if (!session) return reply.redirect(`${prefix}/login`, 303)
    const { login, administrator } = session.account
    const body = homePage(context.form(request, reply, `${prefix}/`), {
      login,
      administrator,
      hostName,
      invitation: null,
    })
    return context.send(reply, hostName, body)
  })

  app.get<{ Querystring: { return_to?: string } }>('/login', async (request, reply) => {
    const returnTo = context.returnPath(request.query.return_to)
    if (!(await storage.hasAccounts())) return reply.redirect(joinPath(prefix, returnTo), 303)
    return sendSignIn(request, reply, returnTo, '', null)
  })

  app.post('/login', async (request, reply) => {
    const form = context.readForm(request)
    const returnTo = context.returnPath(form['return_to'])
    try {
      const { login, password } = parseFields(signInFields, form)
      await context.startSession(reply, await checkCredentials(login, password, request.ip))
      return reply.redirect(returnTo, 303)
    } catch (error) {
      if (!(error instanceof GitHostError)) throw error
      return sendSignIn(request, reply, returnTo, form['login'] ?? '', error)
    }
  })

  app.get<{ Querystring: { return_to?: string; invitation?: string } }>('/join', async (request, reply) => {
    const returnTo = context.returnPath(request.query.return_to)
    return sendJoin(request, reply, returnTo, { invitation: request.query.invitation ?? '' }, null)
  })

  app.post('/join', async (request, reply) => {
    const form = context.readForm(request)
    const returnTo = context.returnPath(form['return_to'])
    try {
      const { password, invitation, ...account } = parseFields(joinFields, form)
      const attempts = await storage.countAttempt(`join|${request.ip}`, ATTEMPT_WINDOW_MS)
      if (attempts > ATTEMPTS.address) throw new GitHostError('LOCKED_OUT')
      const admission =
        options.signUp === 'open' ? 'open' : { invitationHash: invitation === '' ? null : hashSecret(invitation) }
      const created = await storage.createAccount({ ...account, passwordHash: await hashPassword(password) }, admission)
      if (typeof created === 'string') throw new GitHostError(created)
      await context.startSession(reply, created.id)
      return reply.redirect(returnTo, 303)
    } catch (error) {
      if (!(error instanceof GitHostError)) throw error
      return sendJoin(request, reply, returnTo, form, error)
    }
  })

  app.post('/logout', async (request, reply) => {
    const form = context.readForm(request)
    const token = cookies.sessionOf(request)
    if (token !== undefined) await storage.removeSession(hashSecret(token))
    cookies.clearSession(reply)
    const returnTo = context.returnPath(form['return_to'])
    return reply.redirect(`${prefix}/login?return_to=${encodeURIComponent(returnTo)}`, 303)
  })

  app.post('/invitations', async (request, reply) => {
    context.readForm(request)
    const session = await context.signedIn(request)
    if (!session?.account.administrator) throw new GitHostError('FORBIDDEN')
    const code = newSecret()
    const expiresAt = new Date(context.now().getTime() + INVITATION_DAYS * DAY_MS)
    await storage.addInvitation({ codeHash: hashSecret(code), createdBy: session.account.id, expiresAt })
    const { login, administrator } = session.account
    const invitation = `${options.publicUrl}/join?invitation=${code}`
    const body = homePage(context.form(request, reply, `${prefix}/`), { login, administrator, hostName, invitation })
    return context.send(reply, hostName, body)
  })

  /** The id of the account. Names that do not exist cost and say the same as wrong passwords. */
  async function checkCredentials(login: string, password: string, address: string): Promise<number> {
    const name = hashSecret(login.toLowerCase())
    const keys = { nameAndAddress: `both|${name}|${address}`, name: `name|${name}`, address: `address|${address}` }
    for (const kind of ['nameAndAddress', 'name', 'address'] as const) {
      const attempts = await storage.countAttempt(keys[kind], ATTEMPT_WINDOW_MS)
      if (attempts > ATTEMPTS[kind]) throw new GitHostError('LOCKED_OUT')
    }
    const credentials = await storage.findCredentials(login)
    const right = await verifyPassword(password, credentials?.passwordHash ?? null)
    if (!credentials || !right) throw new GitHostError('WRONG_CREDENTIALS')
    // Only failures count: many people may share an address.
    await storage.clearAttempts(keys.nameAndAddress)
    await storage.forgiveAttempt(keys.name)
    await storage.forgiveAttempt(keys.address)
    return credentials.account.id
  }

  function sendSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    returnTo: string,
    login: string,
    error: GitHostError | null,
  ) {
    const body = signInForm(context.form(request, reply, returnTo, error), {
      hostName,
      login,
      canJoin: options.signUp === 'open',
    })
    return context.send(reply, 'Sign in', body, error?.status)
  }

  async function sendJoin(
    request: FastifyRequest,
    reply: FastifyReply,
    returnTo: string,
    values: Readonly<Record<string, string>>,
    error: GitHostError | null,
  ) {
    const first = !(await storage.hasAccounts())
    const invitation = values['invitation'] ?? ''
    if (!first && options.signUp === 'invitation' && !(await storage.hasInvitation(hashSecret(invitation)))) {
      throw new GitHostError('NOT_ADMITTED')
    }
    const body = joinForm(context.form(request, reply, returnTo, error), { hostName, first, invitation, values })
    return context.send(reply, first ? "Create the administrator's account" : 'Create an account', body, error?.status)
  }
}

function joinPath(prefix: string, returnTo: string): string {
  return `${prefix}/join?return_to=${encodeURIComponent(returnTo)}`
}
