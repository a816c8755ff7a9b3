import { dataOf } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { setLiked } from './likes.ts'

const likeSchema = {
  params: z.object({ id: z.string().min(1).max(100) }),
  response: { 200: dataOf(z.object({ id: z.string(), like_count: z.number().int(), user_liked: z.boolean() })) },
}

/** Liking a sandbox, and taking that back. */
export function registerLikes(app: App, { database }: ServerContext): void {
  const path = '/api/v1/sandboxes/:id/likes'
  for (const [method, liked] of [
    ['POST', true],
    ['DELETE', false],
  ] as const) {
    app.route({
      method,
      url: path,
      onRequest: app.authenticate.required,
      schema: likeSchema,
      handler: async (request) => {
        const user = userOf(request)
        const { id } = request.params as { id: string }
        const sandbox = await inTransaction(database, user, (work) => setLiked(work, user, id, liked))
        return { data: { id: sandbox.id, like_count: sandbox.likeCount, user_liked: liked } }
      },
    })
  }
}
