import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import type { OAuthClient } from './clients.ts'
import { registerAccountApi } from './accountApi.ts'
import { registerAccountPages } from './accountPages.ts'
import { registerMailedLinks } from './mailedLinks.ts'
import { registerOAuth } from './oauth.ts'
import { GitCookies, SESSION_DAYS } from './cookies.ts'
import { GitHostError } from './errors.ts'
import { errorPage } from './pages/forms.ts'
import type { FormContext } from './pages/forms.ts'
import type { Html } from './pages/html.ts'
import { page } from './pages/layout.ts'
import { registerRepositoryPages } from './pages/repositoryPages.ts'
import type { RepositoryStorage } from './repositories/repositoryStorage.ts'
import { registerGitRoutes } from './rest/gitRoutes.ts'
import { registerHookRoutes } from './rest/hookRoutes.ts'
import { HostParts } from './rest/hostParts.ts'
import { registerPullRoutes } from './rest/pullRoutes.ts'
import { registerRepositoryRoutes } from './rest/repositoryRoutes.ts'
import { RestApi } from './rest/restApi.ts'
import { registerReviewRoutes } from './rest/reviewRoutes.ts'
import { registerStatusRoutes } from './rest/statusRoutes.ts'
import { hashSecret, newSecret } from './secrets.ts'
import { registerSmartHttp } from './smartHttp/smartHttp.ts'
import { DeliveryLoop } from './webhooks/deliveryLoop.ts'
import type { SendWebhook } from './webhooks/deliveryLoop.ts'
import type { GitAccount, GitHostStorage } from './storage.ts'

const DAY_MS = 86_400_000

export interface GitHostOptions {
  storage: GitHostStorage
  clients: readonly OAuthClient[]
  /** What people call this git host. */
  hostName: string
  /** Where browsers find the plugin, without a trailing slash: `http://app.boxyard.localhost:4100/_git`. */
  publicUrl: string
  secureCookies: boolean
  /** Who may create an account after the administrator. */
  signUp: 'open' | 'invitation'
  now?: () => Date
  /** Without it there are accounts and sign-in only. */
  repositories?: RepositoryHostOptions
}

export interface RepositoryHostOptions {
  storage: RepositoryStorage
  /** The folder of the bare repositories. */
  folder: string
  /** Sends webhooks to the addresses that people gave. */
  sendWebhook: SendWebhook
  largestPack?: number
}

/** What the parts of the git host share while they answer. */
export interface GitHostContext {
  options: GitHostOptions
  prefix: string
  cookies: GitCookies
  now: () => Date
  /** The account that the session cookie belongs to. */
  signedIn(request: FastifyRequest): Promise<{ account: GitAccount; insertedAt: Date } | null>
  /** Sends a page with its own content security policy. */
  send(reply: FastifyReply, title: string, body: Html, status?: number): FastifyReply
  /** Signs the browser in to an account of this git host. */
  startSession(reply: FastifyReply, accountId: number): Promise<void>
  form(request: FastifyRequest, reply: FastifyReply, returnTo: string, error?: GitHostError | null): FormContext
  /** The fields of a form that came from a page of ours. Throws STALE_FORM for any other. */
  readForm(request: FastifyRequest): Record<string, string>
  /** A path of this git host, or its start page when `value` is anything else. */
  returnPath(value: unknown): string
}

/**
 * The local git host: accounts, sign-in for other programs by OAuth as GitHub does it, and the part of GitHub's REST API that says
 * who someone is. A Fastify plugin, registered under the path of `publicUrl`.
 */
export async function gitHost(app: FastifyInstance, options: GitHostOptions): Promise<void> {
  if (!app.hasRequestDecorator('cookies')) await app.register(cookie)
  const context = createContext(options)

  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  app.setErrorHandler((error, request, reply) => {
    // What is not ours goes on to the handler of the server around us.
    if (!(error instanceof GitHostError)) throw error
    request.log.info({ code: error.code }, 'the git host refused a request')
    return context.send(reply, error.message, errorPage(context, error), error.status)
  })

  app.setNotFoundHandler((request, reply) => {
    if (!request.url.startsWith(`${context.prefix}/api/`)) throw new GitHostError('NOT_FOUND')
    return reply.code(404).send({ message: 'Not Found', documentation_url: options.publicUrl, status: '404' })
  })

  registerAccountPages(app, context)
  registerMailedLinks(app, context)
  registerOAuth(app, context)
  registerAccountApi(app, context)
  if (options.repositories) await registerRepositories(app, context, options.repositories)
}

async function registerRepositories(
  app: FastifyInstance,
  context: GitHostContext,
  { storage, folder, sendWebhook, largestPack }: RepositoryHostOptions,
): Promise<void> {
  const { storage: accounts, publicUrl } = context.options
  const deliveries = new DeliveryLoop({
    storage,
    send: sendWebhook,
    now: context.now,
    onError: (error) => app.log.warn({ err: error }, 'a webhook was not delivered; it is tried again'),
  })
  const parts = new HostParts({ storage, folder, publicUrl, now: context.now, onDelivery: () => deliveries.wake() })
  app.addHook('onListen', async () => deliveries.start())
  app.addHook('preClose', () => deliveries.stop())

  await app.register(
    async (scope) => {
      const api = new RestApi(scope, parts, accounts)
      registerRepositoryRoutes(api)
      registerGitRoutes(api)
      registerPullRoutes(api)
      registerReviewRoutes(api)
      registerStatusRoutes(api)
      registerHookRoutes(api)
    },
    { prefix: '/api/v3' },
  )
  await app.register(async (scope) =>
    registerSmartHttp(scope, { parts, accounts, ...(largestPack === undefined ? {} : { largestPack }) }),
  )
  registerRepositoryPages(app, context, parts)
}

function createContext(options: GitHostOptions): GitHostContext {
  const prefix = new URL(options.publicUrl).pathname
  const cookies = new GitCookies({ secure: options.secureCookies })
  return {
    options,
    prefix,
    cookies,
    now: options.now ?? (() => new Date()),
    async signedIn(request) {
      const token = cookies.sessionOf(request)
      return token === undefined ? null : options.storage.findSession(hashSecret(token))
    },
    send(reply, title, body, status = 200) {
      const nonce = randomBytes(16).toString('base64')
      return reply
        .code(status)
        .headers({
          'cache-control': 'no-store',
          'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
        })
        .type('text/html; charset=utf-8')
        .send(page({ title, hostName: options.hostName, nonce, body }))
    },
    async startSession(reply, accountId) {
      const token = newSecret()
      const expiresAt = new Date((options.now?.() ?? new Date()).getTime() + SESSION_DAYS * DAY_MS)
      await options.storage.addSession({ tokenHash: hashSecret(token), accountId, expiresAt })
      cookies.setSession(reply, token)
    },
    form: (request, reply, returnTo, error = null) => ({
      prefix,
      csrf: cookies.formSecret(request, reply),
      returnTo,
      error,
    }),
    readForm(request) {
      const body = request.body
      const fields = typeof body === 'object' && body !== null ? (body as Record<string, string>) : {}
      if (!cookies.isOwnForm(request, fields['csrf'])) throw new GitHostError('STALE_FORM')
      return fields
    },
    returnPath(value) {
      const start = `${prefix}/`
      if (typeof value !== 'string' || !URL.canParse(value, 'http://host')) return start
      const url = new URL(value, 'http://host')
      return url.host === 'host' && url.pathname.startsWith(start) ? url.pathname + url.search : start
    },
  }
}
