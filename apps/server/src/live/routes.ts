import { dataOf } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { startSession } from './liveSessions.ts'

/** Opening a sandbox to guests, by the call of the older clients. */
export function registerLive(app: App, { database }: ServerContext): void {
  app.post(
    '/api/v1/sandboxes/:id/live',
    {
      onRequest: app.authenticate.required,
      schema: {
        params: z.object({ id: z.string().min(1).max(100) }),
        response: { 200: dataOf(z.object({ id: z.string() })) },
      },
    },
    async (request) => {
      const user = userOf(request)
      const wish = { vmId: request.params.id, defaultPermission: 'write' as const }
      const { id } = await inTransaction(database, user, (work) => startSession(work, user, wish))
      return { data: { id } }
    },
  )
}
