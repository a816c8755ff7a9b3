import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { RefMoved } from '../git/bareRepository.ts'
import type { BareRepository } from '../git/bareRepository.ts'
import { allows, permissionOf } from '../repositories/permissions.ts'
import type { Actor, Permission } from '../repositories/permissions.ts'
import type { RepositoryRecord } from '../repositories/records.ts'
import { findRepository } from '../repositories/repositoryOperations.ts'
import { hashSecret } from '../secrets.ts'
import type { GitAccount, GitHostStorage } from '../storage.ts'
import type { HostParts } from './hostParts.ts'
import { Presenter } from './presenter.ts'
import { RestError } from './restError.ts'

declare module 'fastify' {
  interface FastifyRequest {
    gitActor: Actor | null
  }
}

/** Calls an hour with one token, or from one address without one. */
const HOURLY = { token: 15_000, address: 600 } as const
const HOUR_MS = 3_600_000
const MOST_WINDOWS = 10_000
const MOST_PER_PAGE = 100

export interface OpenRepository {
  record: RepositoryRecord
  git: BareRepository
  permission: Permission
  actor: Actor | null
}

/** What the routes of the REST API share: who asks, which repository, pages, and GitHub's headers. */
export class RestApi {
  readonly app: FastifyInstance
  readonly parts: HostParts
  readonly present: Presenter
  readonly #accounts: GitHostStorage
  readonly #windows = new Map<string, { start: number; used: number }>()

  constructor(app: FastifyInstance, parts: HostParts, accounts: GitHostStorage) {
    this.app = app
    this.parts = parts
    this.present = new Presenter(parts)
    this.#accounts = accounts
    app.decorateRequest('gitActor', null)
    app.addHook('onRequest', (request, reply) => this.#authenticate(request, reply))
    app.addHook('onSend', async (request, reply, payload) => tagged(request, reply, payload))
    app.setErrorHandler((error, _request, reply) => {
      const refusal = error instanceof RefMoved ? new RestError(409, 'Reference was updated by someone else') : error
      if (refusal instanceof RestError) {
        const { status, message, errors } = refusal
        return reply
          .code(status)
          .send({ message, ...(errors ? { errors } : {}), documentation_url: parts.publicUrl, status: String(status) })
      }
      const status = (error as { statusCode?: number }).statusCode
      if (status !== undefined && status < 500) {
        return reply
          .code(status)
          .send({ message: 'Problems parsing JSON', documentation_url: parts.publicUrl, status: String(status) })
      }
      throw error
    })
  }

  async #authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { authorization } = request.headers
    reply.headers({ 'x-github-media-type': 'github.v3; format=json', 'cache-control': 'private, no-store' })
    if (authorization !== undefined) {
      const token = tokenOf(authorization)
      const access = token === null ? null : await this.#accounts.findToken(hashSecret(token))
      if (!access) throw new RestError(401, 'Bad credentials')
      request.gitActor = access
      reply.headers({ 'x-oauth-scopes': access.scopes.join(', '), 'x-accepted-oauth-scopes': 'repo' })
    }
    this.#count(
      authorization === undefined ? request.ip : hashSecret(authorization),
      reply,
      authorization !== undefined,
    )
  }

  #count(key: string, reply: FastifyReply, hasToken: boolean): void {
    const limit = hasToken ? HOURLY.token : HOURLY.address
    const time = this.parts.now().getTime()
    const present = this.#windows.get(key)
    const window = present && time - present.start < HOUR_MS ? present : { start: time, used: 0 }
    window.used += 1
    this.#windows.delete(key)
    this.#windows.set(key, window)
    if (this.#windows.size > MOST_WINDOWS) this.#windows.delete(this.#windows.keys().next().value!)
    reply.headers({
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(Math.max(limit - window.used, 0)),
      'x-ratelimit-used': String(window.used),
      'x-ratelimit-reset': String(Math.ceil((window.start + HOUR_MS) / 1000)),
      'x-ratelimit-resource': 'core',
    })
    if (window.used > limit) throw new RestError(403, 'API rate limit exceeded')
  }

  /** Who asks; 401 for nobody. */
  actor(request: FastifyRequest): Actor {
    if (!request.gitActor) throw new RestError(401, 'Requires authentication')
    return request.gitActor
  }

  /** The account that asks, when its token has one of these scopes. */
  accountWith(request: FastifyRequest, ...scopes: string[]): GitAccount {
    const { account, scopes: granted } = this.actor(request)
    if (granted !== null && !scopes.some((scope) => granted.includes(scope))) {
      throw new RestError(403, `This token needs the scope ${scopes.join(' or ')}`)
    }
    return account
  }

  /** The repository of the path. It does not exist for whoever may not read it. */
  async open(request: FastifyRequest, needed: Permission = 'read'): Promise<OpenRepository> {
    const { owner, repo } = request.params as { owner: string; repo: string }
    return this.openNamed(request.gitActor, owner, repo, needed)
  }

  async openNamed(
    actor: Actor | null,
    owner: string,
    name: string,
    needed: Permission = 'read',
  ): Promise<OpenRepository> {
    const record = await findRepository(this.parts, owner, name)
    const permission = record ? await permissionOf(this.parts.storage, record, actor) : 'none'
    if (!record || !allows(permission, 'read')) throw RestError.notFound()
    if (!allows(permission, needed)) {
      if (!actor) throw new RestError(401, 'Requires authentication')
      throw new RestError(
        403,
        needed === 'admin' ? 'Must have admin rights to Repository.' : 'Must have push access to Repository.',
      )
    }
    if (record.archived && needed === 'write') throw new RestError(403, 'Repository was archived so is read-only.')
    return { record, git: this.parts.gitOf(record), permission, actor }
  }

  /** The account of an actor that `open` with more than read let through. */
  accountOf({ actor }: OpenRepository): GitAccount {
    if (!actor) throw new RestError(401, 'Requires authentication')
    return actor.account
  }

  /** The commit of a branch, tag or commit id that somebody wrote. */
  async commitOf({ git }: OpenRepository, revision: string): Promise<string | null> {
    const name = revision.replace(/^refs\/(?:heads|tags)\//, '').replace(/^(?:heads|tags)\//, '')
    if (/^[0-9a-f]{40}$/.test(name)) return git.resolve(name)
    if (!isSafeRevision(name)) return null
    return (await git.resolve(`refs/heads/${name}`)) ?? (await git.resolve(`refs/tags/${name}`))
  }

  /** One page of a list whose length is known, with GitHub's Link header. */
  async page<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    total: number,
    read: (offset: number, limit: number) => Promise<T[]> | T[],
  ): Promise<T[]> {
    const { page, per_page: perPage } = parse(pageQuery, request.query)
    const last = Math.max(1, Math.ceil(total / perPage))
    const link = (target: number, rel: string) => {
      const [path, query] = request.url.split('?', 2)
      const parameters = new URLSearchParams(query)
      parameters.set('page', String(target))
      parameters.set('per_page', String(perPage))
      return `<${new URL(path!, this.parts.publicUrl).href}?${parameters.toString()}>; rel="${rel}"`
    }
    const links = [
      ...(page > 1 ? [link(page - 1, 'prev')] : []),
      ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
      ...(page > 1 ? [link(1, 'first')] : []),
    ]
    if (links.length > 0) reply.header('link', links.join(', '))
    return read((page - 1) * perPage, perPage)
  }
}

const pageQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
  per_page: z.coerce
    .number()
    .int()
    .min(1)
    .catch(30)
    .transform((count) => Math.min(count, MOST_PER_PAGE)),
})

/** The token of an `Authorization` header: bearer, token, or the password of basic authentication, as git sends it. */
export function tokenOf(authorization: string): string | null {
  const [, scheme, value] = /^(\w+) (\S+)$/.exec(authorization) ?? []
  if (scheme === undefined || value === undefined) return null
  if (/^(?:bearer|token)$/i.test(scheme)) return value
  if (!/^basic$/i.test(scheme)) return null
  const [user, password] = Buffer.from(value, 'base64').toString('utf8').split(':', 2)
  return password || user || null
}

/** Checks something from outside; the refusal names each wrong field. */
export function parse<T>(schema: z.ZodType<T>, value: unknown, resource = 'Request'): T {
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success) return parsed.data
  throw new RestError(
    422,
    'Validation Failed',
    parsed.error.issues.map(({ path, message }) => ({ resource, field: path.join('.'), code: 'invalid', message })),
  )
}

function isSafeRevision(name: string): boolean {
  return name !== '' && !name.startsWith('-') && !/[\s~^:?*[\\]|\.\.|@\{/.test(name)
}

function tagged(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return payload
  const tag = `W/"${createHash('sha256').update(payload).digest('hex')}"`
  reply.header('etag', tag)
  if (request.headers['if-none-match'] !== tag) return payload
  reply.code(304).removeHeader('content-type')
  return ''
}
