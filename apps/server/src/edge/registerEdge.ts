import { ApiError, mayDo } from '@boxyard/api'
import { gitStatusSchema } from '@boxyard/protocol'
import { join } from 'node:path'
import { z } from 'zod'
import { findTokenHolder, holderOf } from '../accounts/index.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { installation } from '../installation.ts'
import { createHostMatcher } from '../http/hosts.ts'
import type { PreviewTarget } from '../http/hosts.ts'
import { accessSandbox, devServerAccess, findSandbox, roleIn } from '../sandboxes/index.ts'
import { askDevServer } from '../machines/askDevServer.ts'
import { mintPlatformToken } from '../machines/startAnswer.ts'
import { BranchConnections } from '../repositories/branchConnections.ts'
import { noteBranchStatus } from '../repositories/noteBranchStatus.ts'
import { memberAuthorization } from '../workspaces/teams.ts'
import { isHostToken, useHostToken } from '../hosts/hostTokens.ts'
import { portRight, visibilityOf } from '../hosts/portPolicies.ts'
import { registerPortPolicies } from '../hosts/routes.ts'
import { DevServerSocket, isDevServerPath } from './devServerSocket.ts'
import { tellDevServerAccess } from './boxHttp.ts'
import { EditorConnections } from './editorConnections.ts'
import type { MachineGateway } from './machineGateway.ts'
import type { PreviewRight } from './previewAccess.ts'
import { PreviewProxy } from './previewProxy.ts'
import { PREVIEW_TOKEN_QUERY } from './previewToken.ts'

/** How the ids of visitors without an account begin. */
const ANONYMOUS = 'anonymous-'

/**
 * Previews on hosts of their own, the sockets of editors, and the page that tells a preview who its visitor is. Closing it waits until
 * it is written down that nobody is connected any more.
 */
export function registerEdge(app: App, context: ServerContext, machines: MachineGateway): { close(): Promise<void> } {
  const { configuration, database, gateway, log, sessionSockets, tokens } = context
  const { appOrigin, base, protocol, port } = configuration

  async function rightOf({ boxId, port }: PreviewTarget, token: string | undefined): Promise<PreviewRight> {
    const isOfHost = token !== undefined && isHostToken(token)
    if (isOfHost && (await useHostToken(database, boxId, token, new Date()))) return 'read'
    const claims = token === undefined || isOfHost ? null : await tokens.verifyPreviewToken(token, boxId)
    // Whoever comes with a token that is worth nothing sees what everybody sees.
    const user = claims ? await findTokenHolder(database, claims) : null
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
  const editors = new EditorConnections({
    async accessOf({ aud, sub, sid }) {
      const isAnonymous = sub.startsWith(ANONYMOUS)
      const isPerson = z.uuid().safeParse(sub).success
      // A session that a program opened for somebody of its own belongs to no account here.
      if (!isAnonymous && !isPerson) return undefined
      const access = await accessSandbox(database, aud, isPerson ? { id: sub } : null)
      if (!access || !mayDo(access.role, 'open')) return 'none'
      // What a program may do beyond looking is said by the scopes of its key, which its token was made by.
      return isAnonymous || sid !== undefined ? devServerAccess(access) : undefined
    },
    tell: async (boxId, change) => tellDevServerAccess(await machines.connect(boxId), change),
    onError: (error, boxId) => log.warn({ err: error, box: boxId }, 'a dev server was not told of a change of access'),
  })
  context.eventHandlers.push((event) => editors.handle(event))
  const branchConnections = new BranchConnections({
    database,
    // The platform joins as a client to ask; when nobody is left, nobody sees it come and go.
    async onEmpty(boxId) {
      const epoch = machines.epochOf(boxId)
      if (epoch === undefined) return
      const token = await mintPlatformToken(tokens, boxId, epoch)
      const said = await askDevServer(await machines.connect(boxId), token, 'git/status', {})
      await noteBranchStatus(database, boxId, gitStatusSchema.parse(said))
    },
    onError: (error, boxId) => log.warn({ err: error, box: boxId }, 'it was not noted who has a branch open'),
  })
  const sockets = new DevServerSocket({
    machines,
    async verify(token, boxId) {
      const claims = await tokens.verifyBoxToken(token, boxId)
      if (!claims) return null
      // The token outlives a sign-out and the rights it was made with; the session and the rights do not.
      const session = claims.sid && { userId: claims.sub, sessionId: claims.sid }
      if (session && !(await findTokenHolder(database, session))) return null
      return (await editors.mayUse(claims)) ? claims : null
    },
    hold(claims, socket) {
      sessionSockets.hold(claims.sid, socket)
      editors.hold(claims, socket)
    },
    onOpen: ({ aud, sub, sid }, socket) =>
      // Without a session of ours `sub` is whatever the program calls its user.
      branchConnections.hold(aud, sid !== undefined && z.uuid().safeParse(sub).success ? sub : null, socket),
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
  return { close: () => branchConnections.close() }
}
