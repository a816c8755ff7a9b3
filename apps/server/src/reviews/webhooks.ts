import { verifySignature } from '@boxyard/git-host'
import type { RepositoryName } from '@boxyard/git-host'
import { asc, eq, isNull } from 'drizzle-orm'
import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import { gitWebhookInbox } from '../database/schema.ts'
import type { App } from '../http/app.ts'
import { findUser } from '../accounts/users.ts'
import type { GitHosts } from '../repositories/gitHosts.ts'
import { projectsOfRepository, repositoryOf } from '../repositories/projects.ts'
import { branchesOf } from '../repositories/projects.ts'
import { notePush } from '../repositories/pushes.ts'
import { readSecret, writeSecret } from '../tokens/signingKey.ts'
import type { PullEvent, ReviewService } from './reviewService.ts'

export const WEBHOOK_PATH = '/api/v1/git/webhook'
const LARGEST = 5 * 1024 * 1024
const BATCH = 50

const payloadSchema = z.looseObject({
  action: z.string().optional(),
  repository: z.looseObject({ name: z.string(), owner: z.looseObject({ login: z.string() }) }),
  pull_request: z.looseObject({ number: z.number().int() }).optional(),
  issue: z.looseObject({ number: z.number().int(), pull_request: z.unknown().optional() }).optional(),
  review: z.looseObject({ id: z.number().int() }).optional(),
  comment: z.looseObject({ id: z.number().int() }).optional(),
})
type Payload = z.infer<typeof payloadSchema>

/** The secret of each repository's webhook follows from one of the installation, so that none has to be kept. */
export function webhookSecrets(folder: string): (repository: RepositoryName) => string {
  const path = join(folder, 'git-webhooks.secret')
  const secret = readSecret(path) ?? writeSecret(path, randomBytes(32).toString('base64url'))
  return ({ owner, name }) => createHmac('sha256', secret).update(`${owner}/${name}`.toLowerCase()).digest('base64url')
}

/**
 * Takes webhooks of the git host: verified on the bytes that came, put into the inbox once, answered, and handled afterwards. What a
 * server that was killed left in the inbox is handled at its next start.
 */
export function registerWebhooks(
  app: App,
  { database, log }: ServerContext,
  {
    hosts,
    reviews,
    secretOf,
  }: { hosts: GitHosts; reviews: ReviewService; secretOf: (repository: RepositoryName) => string },
): void {
  let handling: Promise<void> | null = null
  let again = false

  void app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: LARGEST }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(WEBHOOK_PATH, { schema: { hide: true } }, async (request, reply) => {
      const body = request.body as Buffer
      const {
        'x-github-delivery': deliveryId,
        'x-github-event': event,
        'x-hub-signature-256': signature,
      } = request.headers
      const payload = readPayload(body)
      const repository = payload && { owner: payload.repository.owner.login, name: payload.repository.name }
      if (typeof deliveryId !== 'string' || typeof event !== 'string' || deliveryId.length > 100 || event.length > 100)
        return reply.code(400).send()
      // The same answer for a body that can not be read as for a wrong signature: strangers learn nothing.
      if (event === 'ping' && !repository) return reply.code(204).send()
      if (
        !repository ||
        !verifySignature(secretOf(repository), body, typeof signature === 'string' ? signature : undefined)
      )
        return reply.code(401).send()
      await database.insert(gitWebhookInbox).values({ deliveryId, event, payload }).onConflictDoNothing()
      wake()
      return reply.code(202).send()
    })
  })
  app.addHook('onListen', async () => wake())
  app.addHook('preClose', async () => {
    again = false
    await handling
  })

  function wake(): void {
    again = true
    handling ??= handleAll()
      .catch((error: unknown) => log.error({ err: error }, 'webhooks could not be handled; they stay in the inbox'))
      .finally(() => {
        handling = null
      })
  }

  async function handleAll(): Promise<void> {
    while (again) {
      again = false
      const open = await database
        .select()
        .from(gitWebhookInbox)
        .where(isNull(gitWebhookInbox.handledAt))
        .orderBy(asc(gitWebhookInbox.insertedAt))
        .limit(BATCH)
      for (const { deliveryId, event, payload } of open) {
        try {
          await handle(event, payload as Payload)
        } catch (error) {
          // One that can not be handled must not keep the others waiting; the page asks the host again anyway.
          log.warn({ err: error, delivery: deliveryId, event }, 'a webhook could not be handled')
        }
        await database
          .update(gitWebhookInbox)
          .set({ handledAt: new Date() })
          .where(eq(gitWebhookInbox.deliveryId, deliveryId))
      }
      if (open.length === BATCH) again = true
    }
  }

  async function handle(event: string, payload: Payload): Promise<void> {
    if (event === 'push') return notePush(database, hosts.url, payload)
    const told = pullEvent(event, payload)
    if (!told) return
    const name = { owner: payload.repository.owner.login, name: payload.repository.name }
    for (const project of await projectsOfRepository(database, name)) {
      const user = await readerOf(project.id)
      if (!user) continue
      await reviews.refresh(await hosts.as(user), repositoryOf(project), told.number, told.event)
      return
    }
  }

  /** Someone with whose rights the repository can be read: whoever works on a branch of it. */
  async function readerOf(projectId: string) {
    for (const { ownerId } of await branchesOf(database, [projectId])) {
      const user = ownerId === null ? null : await findUser(database, ownerId)
      if (user && (await hosts.credentialOf(user).catch(() => null))) return user
    }
    return null
  }
}

function readPayload(body: Buffer): Payload | null {
  try {
    return payloadSchema.parse(JSON.parse(body.toString('utf8')))
  } catch {
    // Not JSON, or not about a repository.
    return null
  }
}

function pullEvent(event: string, payload: Payload): { number: number; event: PullEvent } | null {
  const number =
    payload.pull_request?.number ?? (payload.issue?.pull_request === undefined ? undefined : payload.issue.number)
  const { action = 'opened', review, comment } = payload
  if (number === undefined) return null
  if (event === 'pull_request') return { number, event: { kind: 'PullRequestEvent', action } }
  if (event === 'pull_request_review' && review)
    return { number, event: { kind: 'PullRequestReviewEvent', action, reviewId: review.id } }
  if (event === 'pull_request_review_comment' && comment)
    return { number, event: { kind: 'PullRequestReviewCommentEvent', action, commentId: comment.id } }
  if (event === 'issue_comment' && comment)
    return { number, event: { kind: 'PullRequestCommentEvent', action, commentId: comment.id } }
  return null
}
