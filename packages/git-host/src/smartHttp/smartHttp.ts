import { availableParallelism } from 'node:os'
import { PassThrough } from 'node:stream'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPushableRef } from '../git/names.ts'
import { afterRefChanges, refChanges } from '../pulls/afterRefChanges.ts'
import { allows, permissionOf } from '../repositories/permissions.ts'
import type { Actor } from '../repositories/permissions.ts'
import { findRepository } from '../repositories/repositoryOperations.ts'
import type { HostParts } from '../rest/hostParts.ts'
import { tokenOf } from '../rest/restApi.ts'
import { hashSecret } from '../secrets.ts'
import type { GitHostStorage } from '../storage.ts'
import { httpBackend } from './httpBackend.ts'
import type { BackendAnswer } from './httpBackend.ts'
import { readPushRequest, refusePush } from './pktLine.ts'
import type { PushRequest } from './pktLine.ts'

export interface SmartHttpOptions {
  parts: HostParts
  accounts: GitHostStorage
  /** The largest pack a push may bring. */
  largestPack?: number
}

const LARGEST_PACK = 1024 * 1024 * 1024
/** Commands of a push come before its pack. */
const LONGEST_COMMANDS = 512 * 1024
const LONGEST_REPORT = 4 * 1024 * 1024
const services = ['git-upload-pack', 'git-receive-pack'] as const
type Service = (typeof services)[number]

/** Clone, fetch and push over HTTP, as `git http-backend` speaks it: whole, shallow and partial. */
export function registerSmartHttp(
  app: FastifyInstance,
  { parts, accounts, largestPack = LARGEST_PACK }: SmartHttpOptions,
): void {
  const slots = new Slots(2 * availableParallelism())
  for (const service of services) {
    // The body is left to git, which reads it as it comes.
    app.addContentTypeParser(`application/x-${service}-request`, (_request, payload, done) => done(null, payload))
  }

  app.get('/:owner/:repo/info/refs', async (request, reply) => {
    const { service } = request.query as { service?: string }
    if (!isService(service)) return reply.code(403).type('text/plain').send('Only the smart protocol is spoken here.\n')
    const access = await authorize(request, reply, service)
    if (!access) return reply
    const answer = await slots.run(request, (signal) =>
      httpBackend({
        folder: parts.gitOf(access.record).folder,
        path: '/info/refs',
        method: 'GET',
        query: `service=${service}`,
        headers: { gitProtocol: protocolOf(request) },
        user: access.actor?.account.login ?? null,
        body: null,
        config: readConfig,
        signal,
      }),
    )
    return send(reply, answer)
  })

  app.post('/:owner/:repo/git-upload-pack', async (request, reply) => {
    const access = await authorize(request, reply, 'git-upload-pack')
    if (!access) return reply
    const answer = await slots.run(request, (signal) =>
      httpBackend({
        folder: parts.gitOf(access.record).folder,
        path: '/git-upload-pack',
        method: 'POST',
        query: '',
        headers: {
          contentType: request.headers['content-type'],
          contentEncoding: request.headers['content-encoding'],
          gitProtocol: protocolOf(request),
        },
        user: access.actor?.account.login ?? null,
        body: request.body as Readable,
        config: readConfig,
        signal,
      }),
    )
    return send(reply, answer)
  })

  app.post('/:owner/:repo/git-receive-pack', async (request, reply) => {
    const access = await authorize(request, reply, 'git-receive-pack')
    if (!access) return reply
    const { record, actor } = access
    const gzipped = request.headers['content-encoding'] === 'gzip'
    const source = gzipped ? (request.body as Readable).pipe(createGunzip()) : (request.body as Readable)
    const opening = await readOpening(source)
    if (typeof opening === 'string') {
      // What is left of the body is not waited for.
      source.resume()
      return reply
        .code(opening === 'malformed' ? 400 : 413)
        .header('connection', 'close')
        .type('text/plain')
        .send(`The push is ${opening}.\n`)
    }
    const refusal = refusalOf(opening.push)
    if (refusal) {
      source.resume()
      return reply.type('application/x-git-receive-pack-result').send(refusePush(opening.push, refusal))
    }
    const protections = await parts.storage.protections.find({ repositoryId: record.id })
    const guarded = opening.push.commands.some(({ ref }) =>
      protections.some(({ branch }) => ref === `refs/heads/${branch}`),
    )
    const git = parts.gitOf(record)
    // One push at a time: what it changed is found by looking at the refs before and after.
    const answer = await parts.queue.run(record.id, async () => {
      const before = await git.refs('refs/heads/')
      const received = await slots.run(request, async (signal) => {
        const backend = await httpBackend({
          folder: git.folder,
          path: '/git-receive-pack',
          method: 'POST',
          query: '',
          headers: { contentType: request.headers['content-type'], gitProtocol: protocolOf(request) },
          user: actor!.account.login,
          body: opening.body,
          config: {
            'receive.maxInputSize': String(largestPack),
            'receive.fsckObjects': 'true',
            // What old tools wrote and every host accepts.
            'receive.fsck.zeroPaddedFilemode': 'warn',
            'receive.fsck.badTimezone': 'warn',
            'receive.fsck.missingSpaceBeforeDate': 'warn',
            'receive.denyDeleteCurrent': 'refuse',
            'receive.denyCurrentBranch': 'ignore',
            'receive.autogc': 'true',
            ...(guarded ? { 'receive.denyNonFastForwards': 'true', 'receive.denyDeletes': 'true' } : {}),
          },
          signal,
        })
        // The report is kept back until what it says is on record.
        return { ...backend, report: await collect(backend.body) }
      })
      await afterRefChanges(parts, record, refChanges(before, await git.refs('refs/heads/')), actor!.account)
      return received
    })
    return reply.code(answer.status).headers(answer.headers).send(answer.report)
  })

  async function authorize(request: FastifyRequest, reply: FastifyReply, service: Service) {
    const { owner, repo } = request.params as { owner: string; repo: string }
    const token = request.headers.authorization === undefined ? null : tokenOf(request.headers.authorization)
    const actor: Actor | null = token === null ? null : await accounts.findToken(hashSecret(token))
    const record = await findRepository(parts, owner, repo.replace(/\.git$/, ''))
    const permission = record ? await permissionOf(parts.storage, record, actor) : 'none'
    const needed = service === 'git-receive-pack' ? 'write' : 'read'
    if (record && allows(permission, needed)) {
      if (needed === 'write' && record.archived) {
        reply.code(403).type('text/plain').send('This repository is archived and takes no pushes.\n')
        return null
      }
      return { record, actor }
    }
    // Without a valid token git is asked for one; with one, a repository that may not be read does not exist.
    if (!actor)
      reply
        .code(401)
        .header('www-authenticate', 'Basic realm="git", charset="UTF-8"')
        .type('text/plain')
        .send('Sign in with an access token as the password.\n')
    else if (record && allows(permission, 'read'))
      reply.code(403).type('text/plain').send('You are not allowed to push here.\n')
    else reply.code(404).type('text/plain').send('Repository not found.\n')
    return null
  }
}

/** Why the refs of a push are refused, or null when they are not. */
function refusalOf(push: PushRequest): ((ref: string) => string) | null {
  const wrong = new Set(push.commands.map(({ ref }) => ref).filter((ref) => !isPushableRef(ref)))
  if (wrong.size === 0) return null
  return (ref) => (wrong.has(ref) ? 'only branches and tags can be pushed' : 'refused together with another ref')
}

const readConfig = {
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowAnySHA1InWant': 'false',
  'uploadpack.allowReachableSHA1InWant': 'true',
  'uploadpack.hideRefs': 'refs/boxyard',
}

function isService(text: unknown): text is Service {
  return services.includes(text as Service)
}

/** Only what git itself sends goes on to git. */
function protocolOf(request: FastifyRequest): string | undefined {
  const sent = request.headers['git-protocol']
  return typeof sent === 'string' && /^[a-z0-9=:.-]{1,100}$/i.test(sent) ? sent : undefined
}

function send(reply: FastifyReply, answer: BackendAnswer): FastifyReply {
  return reply.code(answer.status).headers(answer.headers).send(answer.body)
}

/** Reads the commands of a push and gives back a stream of the whole body. */
async function readOpening(
  source: Readable,
): Promise<{ push: PushRequest; body: Readable } | 'malformed' | 'too long'> {
  let head = Buffer.alloc(0)
  const iterator = source.iterator({ destroyOnReturn: false })
  for (;;) {
    const push = readPushRequest(head)
    const tooLong = push === 'incomplete' && head.length > LONGEST_COMMANDS
    if (push === 'malformed' || tooLong) {
      await iterator.return?.()
      return tooLong ? 'too long' : 'malformed'
    }
    if (push !== 'incomplete') {
      await iterator.return?.()
      const body = new PassThrough()
      body.write(head)
      source.once('error', (error) => body.destroy(error))
      source.pipe(body)
      return { push, body }
    }
    const next = await iterator.next()
    if (next.done) return 'malformed'
    head = Buffer.concat([head, next.value as Buffer])
  }
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length
    if (bytes <= LONGEST_REPORT) chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** So many gits at a time; the others wait. A git whose client went away is ended. */
class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(slots: number) {
    this.#free = slots
  }

  async run<T extends { ended: Promise<boolean> }>(
    request: FastifyRequest,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#free -= 1
    const gone = new AbortController()
    const onClose = () => gone.abort()
    request.raw.socket.once('close', onClose)
    const release = () => {
      request.raw.socket.off('close', onClose)
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
    try {
      const answer = await work(gone.signal)
      void answer.ended.then(release)
      return answer
    } catch (error) {
      release()
      throw error
    }
  }
}
