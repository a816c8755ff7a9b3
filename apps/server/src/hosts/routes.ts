import { dataOf, portPoliciesSchema, portPolicyBodySchema } from '@boxyard/api'
import { z } from 'zod'
import { userOf } from '../accounts/authentication.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import { authorizeSandbox } from '../sandboxes/index.ts'
import { listPortPolicies, setPortVisibility } from './portPolicies.ts'

const params = z.object({ id: z.string().min(1).max(100) })
const answer = { 200: dataOf(portPoliciesSchema) }

/** Who may look at which port of a devbox. */
export function registerPortPolicies(app: App, { database }: ServerContext): void {
  const { optional, required } = app.authenticate

  app.get(
    '/api/v1/sandboxes/:id/ports',
    { onRequest: optional, schema: { params, response: answer } },
    async (request) => {
      const { sandbox } = await authorizeSandbox(database, request.params.id, request.user, 'open')
      return { data: { ports: await listPortPolicies(database, sandbox.id) } }
    },
  )

  app.put(
    '/api/v1/sandboxes/:id/ports/:port',
    {
      onRequest: required,
      schema: {
        params: params.extend({ port: z.coerce.number().int().min(0).max(65_535) }),
        body: portPolicyBodySchema,
        response: answer,
      },
    },
    async (request) => {
      const { sandbox } = await authorizeSandbox(database, request.params.id, userOf(request), 'share')
      const { port } = request.params
      const { visibility } = request.body
      await inTransaction(database, userOf(request), async ({ tx, audit }) => {
        await setPortVisibility(tx, sandbox.id, port, visibility)
        await audit('port.visibilityChanged', { sandboxId: sandbox.id, detail: { port, visibility } })
      })
      return { data: { ports: await listPortPolicies(database, sandbox.id) } }
    },
  )
}
