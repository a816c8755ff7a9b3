import { ApiError, keyMayDo, mayDo, sdkScopes } from '@boxyard/api'
import type { SandboxOperation, SdkOperation } from '@boxyard/api'
import type { FastifyRequest } from 'fastify'
import type { User } from '../accounts/users.ts'
import type { ServerContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { authorizeSandbox } from '../sandboxes/index.ts'
import type { Sandbox } from '../sandboxes/index.ts'
import { memberAuthorization, personalTeamId } from '../workspaces/teams.ts'
import { findApiKey, isApiKey } from './apiKeys.ts'

/** The program that calls, for whom, in which workspace and with which scopes. */
export interface SdkCaller {
  user: User
  teamId: string
  scopes: readonly string[]
  /** Only a key is bound to one workspace; a person's own token reaches everything the person does. */
  isKey: boolean
}

export interface SdkAuthorization {
  /** Who calls, if the scopes allow the operation. */
  caller(request: FastifyRequest, operation: SdkOperation): Promise<SdkCaller>
  /** The same, with the sandbox it is about. */
  sandbox(
    request: FastifyRequest,
    operation: SdkOperation,
    id: string,
    needs: SandboxOperation,
  ): Promise<{ caller: SdkCaller; sandbox: Sandbox }>
}

/** Finds out who calls: by API key, by the administrator's token, or by a person's bearer token. Cookies count for nothing here. */
export function sdkAuthorization(app: App, { database }: ServerContext): SdkAuthorization {
  async function callerOf(request: FastifyRequest): Promise<SdkCaller> {
    const token = /^bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) {
      throw new ApiError('UNAUTHENTICATED', { detail: 'An API key is missing. Set CSB_API_KEY.' })
    }
    if (isApiKey(token)) {
      const found = await findApiKey(database, token, new Date())
      const authorization = found && (await memberAuthorization(database, found.row.teamId, found.user.id))
      // A key ends with its maker's membership.
      if (!found || !authorization) throw new ApiError('UNAUTHENTICATED', { detail: 'This API key is not valid' })
      const scopes = found.row.scopes.filter(
        (scope) =>
          authorization === 'admin' ||
          (authorization === 'write' ? scope !== 'token_manage' : scope === 'sandbox_read'),
      )
      return { user: found.user, teamId: found.row.teamId, scopes, isKey: true }
    }
    const user = await app.authenticate.bearer(token)
    if (!user) throw new ApiError('UNAUTHENTICATED', { detail: 'This API key is not valid' })
    return { user, teamId: await personalTeamId(database, user.id), scopes: sdkScopes, isKey: false }
  }

  async function caller(request: FastifyRequest, operation: SdkOperation): Promise<SdkCaller> {
    const found = await callerOf(request)
    if (!keyMayDo(found.scopes, operation)) {
      throw new ApiError('FORBIDDEN', { detail: 'This API key does not have the scope for this' })
    }
    return found
  }

  return {
    caller,
    async sandbox(request, operation, id, needs) {
      const found = await caller(request, operation)
      const access = await authorizeSandbox(database, id, found.user, 'see')
      const isOwn = !found.isKey || access.sandbox.teamId === found.teamId
      // What is not of the key's workspace is what everybody sees of it: enough to copy a public one.
      if (!isOwn && (access.sandbox.privacy === 2 || !mayDo('read', needs))) {
        throw new ApiError('NOT_FOUND', { detail: 'This sandbox is not found' })
      }
      // A key of the workspace may do with its sandboxes what its scopes say.
      if (!found.isKey && !mayDo(access.role, needs)) throw new ApiError('FORBIDDEN')
      if (!access.sandbox.isV2) throw new ApiError('NOT_FOUND', { detail: 'This sandbox runs in the browser' })
      return { caller: found, sandbox: access.sandbox }
    },
  }
}
