import { ApiError, mayDo } from '@boxyard/api'
import { join } from 'node:path'
import { z } from 'zod'
import { findTokenHolder, holderOf } from '../accounts/index.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { installation } from '../installation.ts'
import { createHostMatcher } from '../http/hosts.ts'
import type { PreviewTarget } from '../http/hosts.ts'
import { accessSandbox, findSandbox, roleIn } from '../sandboxes/index.ts'
import { memberAuthorization } from '../workspaces/teams.ts'
import { isHostToken, useHostToken } from '../hosts/hostTokens.ts'
import { portRight, visibilityOf } from '../hosts/portPolicies.ts'
import { registerPortPolicies } from '../hosts/routes.ts'
import { DevServerSocket, isDevServerPath } from './devServerSocket.ts'
import type { MachineGateway } from './machineGateway.ts'
import type { PreviewRight } from './previewAccess.ts'
import { PreviewProxy } from './previewProxy.ts'
import { PREVIEW_TOKEN_QUERY } from './previewToken.ts'

/** Previews on hosts of their own, the sockets of editors, and the page that tells a preview who its visitor is. */
export function registerEdge(app: App, context: ServerContext, machines: MachineGateway): void {
  const { configuration, database, gateway, log, sessionSockets, tokens } = context
  const { appOrigin, base, protocol, port } = configuration

  async function rightOf({ boxId, port }: PreviewTarget, token: string | undefined): Promise<PreviewRight> {
    if (token !== undefined && isHostToken(token)) {
      return (await useHostToken(database, boxId, token, new Date())) ? 'read' : 'none'
    }
    const claims = token === undefined ? null : await tokens.verifyPreviewToken(token, boxId)
    if (token !== undefined && !claims) return 'none'
    const user = claims ? await findTokenHolder(database, claims) : null
    if (claims && !user) return 'none'
    const sandbox = await findSandbox(database, boxId)
    if (!sandbox?.isV2) return 'none'
    const role = await roleIn(database, sandbox, user)
    return portRight(await visibilityOf(database, boxId, port), role, await membership(sandbox, user))
  }

  async function membership({ teamId }: { teamId: string }, user: { id: string } | null): Promise<boolean> {
    return user !== null && (await memberAuthorization(database, teamId, user.id)) !== null
  }

  registerPortPolicies(app, context)
  gateway.servePreviews(
    new PreviewProxy({
      protocol,
      appOrigin,
      base,
      machines,
      directory: { rightOf },
      agentScript: join(installation.preview, 'agent.js'),
      rememberedToken: async (boxId, token) => {
        const claims = await tokens.verifyPreviewToken(token, boxId)
        return claims ? tokens.mintPreviewCookie(claims, boxId) : token
      },
      onError: (error, target) => log.warn({ err: error, ...target }, 'a preview failed'),
    }),
  )
  const sockets = new DevServerSocket({
    machines,
    async verify(token, boxId) {
      const claims = await tokens.verifyBoxToken(token, boxId)
      if (!claims?.sid) return claims
      // The token outlives a sign-out; the session does not.
      return (await findTokenHolder(database, { userId: claims.sub, sessionId: claims.sid })) ? claims : null
    },
    holdForSession: (sessionId, socket) => sessionSockets.hold(sessionId, socket),
    onError: (error, boxId) => log.warn({ err: error, box: boxId }, 'the socket of an editor failed'),
  })
  gateway.serveUpgrades(isDevServerPath, (request, socket, head, url) => sockets.upgrade(request, socket, head, url))

  const match = createHostMatcher({ base, port })
  app.get(
    '/preview/authorize',
    {
      onRequest: app.authenticate.optional,
      schema: { hide: true, querystring: z.object({ to: z.url({ protocol: /^https?$/ }).max(8000) }) },
    },
    async (request, reply) => {
      const to = new URL(request.query.to)
      const host = match(to.host)
      if (host.kind !== 'preview' || to.protocol !== `${protocol}:`) throw new ApiError('NOT_FOUND')
      if (!request.user)
        return reply.redirect(
          `/signin?continue=${encodeURIComponent(`/preview/authorize?to=${encodeURIComponent(to.href)}`)}`,
        )
      const access = await accessSandbox(database, host.target.boxId, request.user)
      if (!access || !mayDo(access.role, 'open')) throw new ApiError('NOT_FOUND')
      to.searchParams.set(PREVIEW_TOKEN_QUERY, await tokens.mintPreviewToken(holderOf(request), host.target.boxId))
      return reply.header('cache-control', 'no-store').redirect(to.href)
    },
  )
}
