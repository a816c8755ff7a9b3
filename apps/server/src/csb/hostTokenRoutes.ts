import { ApiError, previewTokenBodySchema, previewTokenSchema, sdkAnswer, sdkEmpty } from '@boxyard/api'
import { z } from 'zod'
import type { App } from '../http/app.ts'
import { changeHostToken, createHostToken, listHostTokens, revokeHostTokens } from '../hosts/hostTokens.ts'
import type { HostToken } from '../hosts/hostTokens.ts'
import { inTransaction } from '../outbox/unitOfWork.ts'
import type { SdkParts } from './registerSdk.ts'

const params = z.object({ id: z.string().min(1).max(100) })

/** Tokens for the previews of one sandbox. */
export function registerHostTokens(app: App, { context: { database }, authorization }: SdkParts): void {
  const path = '/csb/sdk/sandbox/:id/tokens'

  app.get(
    path,
    {
      schema: {
        params,
        response: { 200: sdkAnswer(z.object({ sandbox_id: z.string(), tokens: z.array(previewTokenSchema) })) },
      },
    },
    async (request) => {
      const { sandbox } = await authorization.sandbox(request, 'readHostTokens', request.params.id, 'share')
      const tokens = await listHostTokens(database, sandbox.id)
      return { data: { sandbox_id: sandbox.id, tokens: tokens.map(presentToken) } }
    },
  )

  app.post(
    path,
    {
      schema: {
        params,
        body: previewTokenBodySchema,
        response: {
          200: sdkAnswer(z.object({ sandbox_id: z.string(), token: previewTokenSchema.extend({ token: z.string() }) })),
        },
      },
    },
    async (request, reply) => {
      const { caller, sandbox } = await authorization.sandbox(request, 'manageHostTokens', request.params.id, 'share')
      const { token, row } = await inTransaction(database, caller.user, async ({ tx, audit }) => {
        const made = await createHostToken(tx, sandbox.id, dateOf(request.body.expires_at))
        await audit('hostToken.created', { sandboxId: sandbox.id, detail: { id: made.row.id } })
        return made
      })
      reply.header('cache-control', 'no-store')
      return { data: { sandbox_id: sandbox.id, token: { ...presentToken(row), token } } }
    },
  )

  app.patch(
    `${path}/:tokenId`,
    {
      schema: {
        params: params.extend({ tokenId: z.uuid() }),
        body: previewTokenBodySchema,
        response: { 200: sdkAnswer(z.object({ sandbox_id: z.string(), token: previewTokenSchema })) },
      },
    },
    async (request) => {
      const { id, tokenId } = request.params
      const { caller, sandbox } = await authorization.sandbox(request, 'manageHostTokens', id, 'share')
      const { expires_at: expiresAt } = request.body
      const token = await inTransaction(database, caller.user, async ({ tx, audit }) => {
        const changed = await changeHostToken(tx, sandbox.id, tokenId, dateOf(expiresAt))
        if (!changed) throw new ApiError('NOT_FOUND', { detail: 'This token is not found' })
        await audit('hostToken.changed', {
          sandboxId: sandbox.id,
          detail: { id: tokenId, expiresAt: expiresAt ?? null },
        })
        return changed
      })
      return { data: { sandbox_id: sandbox.id, token: presentToken(token) } }
    },
  )

  app.delete(path, { schema: { params, response: { 200: sdkAnswer(sdkEmpty) } } }, async (request) => {
    const { caller, sandbox } = await authorization.sandbox(request, 'manageHostTokens', request.params.id, 'share')
    await inTransaction(database, caller.user, async ({ tx, audit }) => {
      await revokeHostTokens(tx, sandbox.id)
      await audit('hostToken.revoked', { sandboxId: sandbox.id })
    })
    return { data: {} }
  })
}

function presentToken({ id, prefix, expiresAt, lastUsedAt }: HostToken) {
  return {
    token_id: id,
    token_prefix: prefix,
    expires_at: expiresAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  }
}

export function dateOf(text: string | null | undefined): Date | null {
  return text == null ? null : new Date(text)
}
