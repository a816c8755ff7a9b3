import { ApiError, mayDo } from '@boxyard/api'
import type { FastifyRequest } from 'fastify'
import { holderOf } from '../accounts/index.ts'
import type { ServerContext } from '../context.ts'
import { authorizeSandbox, roleIn } from '../sandboxes/index.ts'
import type { Sandbox } from '../sandboxes/index.ts'
import type { PacksPart } from './registerPacks.ts'

/** What the page of a sandbox without a machine carries: enough to show its preview before anything of the app is there. */
export interface SandboxOfPage {
  id: string
  /** Lets the person's browser into the preview; null for a visitor, and where visitors may look. */
  token: string | null
  /** The page of the preview shows the sandbox before anybody compiles it. */
  isPrepared: boolean
}

/** Null where the address names no such sandbox, or one that whoever asks may not open; the page says so itself. */
export async function sandboxOfPage(
  { database, tokens }: Pick<ServerContext, 'database' | 'tokens'>,
  preparedPage: PacksPart['preparedPage'],
  request: FastifyRequest,
): Promise<SandboxOfPage | null> {
  // A link on another site brings no session along, and the page would begin as a visitor's.
  if (request.headers['sec-fetch-site'] === 'cross-site') return null
  const id = /^\/sandbox\/([^/?]+)/.exec(request.url)?.[1]
  if (id === undefined || id.length > 100) return null
  const tokenFor = async (sandbox: Sandbox): Promise<string | null> => {
    if (!request.user) return null
    // The host of the preview would send the browser on to the address without it, a way there and back for nothing.
    if (mayDo(await roleIn(database, sandbox, null), 'open')) return null
    return tokens.mintPreviewToken(holderOf(request), sandbox.id)
  }
  try {
    const access = await authorizeSandbox(database, decodeURIComponent(id), request.user, 'open')
    const { sandbox } = access
    if (sandbox.isV2) return null
    const [token, prepared] = await Promise.all([tokenFor(sandbox), preparedPage(access)])
    return { id: sandbox.id, token, isPrepared: prepared !== null }
  } catch (error) {
    if (error instanceof ApiError || error instanceof URIError) return null
    throw error
  }
}
