import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PreviewDecision } from './previewAccess.ts'
import { PREVIEW_RENEWAL_COOKIE, PREVIEW_TOKEN_COOKIE, withoutPreviewToken } from './previewToken.ts'

/** A preview cookie lives as long as its token is worth anything; the token carries its own end. */
const COOKIE_SECONDS = 24 * 60 * 60
/** Long enough for the way to the app and back. */
const RENEWAL_SECONDS = 30

export interface VisitorSite {
  protocol: 'http' | 'https'
  appOrigin: string
  /** The token to keep in the cookie of a visitor who came with a short-lived one. */
  rememberedToken: (boxId: string, token: string) => Promise<string>
}

/** Sends a visitor of a preview on: to the same address with the token in a cookie or nowhere, or to the app to say who they are. */
export async function redirectVisitor(
  request: IncomingMessage,
  response: ServerResponse,
  boxId: string,
  decision: Extract<PreviewDecision, { kind: 'remember' | 'identify' }>,
  { protocol, appOrigin, rememberedToken }: VisitorSite,
): Promise<void> {
  const url = request.url ?? '/'
  const without = withoutPreviewToken(url)
  const cookie = (name: string, value: string, seconds: number) => ({
    'set-cookie': `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${protocol === 'https' ? '; Secure' : ''}`,
  })
  const target =
    decision.kind === 'remember'
      ? {
          location: without,
          ...(decision.token === undefined
            ? {}
            : cookie(PREVIEW_TOKEN_COOKIE, await rememberedToken(boxId, decision.token), COOKIE_SECONDS)),
        }
      : {
          location: `${appOrigin}/preview/authorize?to=${encodeURIComponent(`${protocol}://${request.headers.host ?? ''}${without}`)}`,
          ...(without === url ? {} : cookie(PREVIEW_RENEWAL_COOKIE, '1', RENEWAL_SECONDS)),
        }
  response.writeHead(302, { 'cache-control': 'no-store', ...target })
  response.end()
}
