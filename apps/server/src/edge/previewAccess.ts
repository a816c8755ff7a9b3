import type { IncomingMessage } from 'node:http'
import type { PreviewTarget } from '../http/hosts.ts'
import { isExpectedRequester, ownOrigins } from './previewOrigin.ts'
import { findPreviewToken, isBeingRenewed } from './previewToken.ts'

/** What somebody may do with a preview: look, or also start the tasks behind it. */
export type PreviewRight = 'none' | 'read' | 'write'

export interface PreviewDirectory {
  /** The right of whoever holds this token, or of an anonymous visitor without one. A token that is not valid counts as none. */
  rightOf(target: PreviewTarget, token: string | undefined): Promise<PreviewRight>
}

export type PreviewDecision =
  | { kind: 'allow'; right: PreviewRight }
  /** Come back without the token in the address, with it in the cookie unless everybody may do as much without one. */
  | { kind: 'remember'; token: string | undefined }
  /** Ask the app who this is, then come back. */
  | { kind: 'identify' }
  | { kind: 'refuse'; status: 401 | 403 | 404 }

/** Decides about one request to a preview. Answers the same for a box that does not exist as for one that may not be seen. */
export async function decidePreviewAccess(
  request: Pick<IncomingMessage, 'headers' | 'method'> & { url: string },
  target: PreviewTarget,
  site: { protocol: string; appOrigin: string; base: string },
  directory: PreviewDirectory,
): Promise<PreviewDecision> {
  const anonymous = await directory.rightOf(target, undefined)
  const found = findPreviewToken(request.url, request.headers)
  const right = found ? await directory.rightOf(target, found.token) : anonymous
  const isPage = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate'
  if (found?.from === 'query' && right !== 'none' && (request.method === 'GET' || request.method === 'HEAD')) {
    // One that is worth nothing would take the place of a better one.
    return { kind: 'remember', token: right === anonymous ? undefined : found.token }
  }
  if (right === 'none') {
    // A token of the address may have run out since the address was copied; the app knows who this is all the same.
    const mayAsk = found?.from !== 'query' || !isBeingRenewed(request.headers)
    return isPage && mayAsk ? { kind: 'identify' } : { kind: 'refuse', status: 401 }
  }
  const isOwnOrigin = ownOrigins({ ...site, boxId: target.boxId })
  if (found?.from === 'cookie' && !isExpectedRequester(request.headers, isOwnOrigin)) {
    // What a stranger would see anyway needs no protection from other pages.
    return anonymous === 'none' ? { kind: 'refuse', status: 403 } : { kind: 'allow', right: anonymous }
  }
  return { kind: 'allow', right }
}
