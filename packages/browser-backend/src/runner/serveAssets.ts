import { typeOf } from '../compile/assets.ts'
import { findAsset, localPath } from './page.ts'
import type { Assets } from './page.ts'
import { serveElements } from './serveElements.ts'

/** Lets a page, or a worker, fetch files of the project by their path, which no server has; elements of a page show them too. */
export function serveAssets(scope: typeof globalThis, assets: Assets): void {
  const original = scope.fetch.bind(scope)
  scope.fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const path = request.method === 'GET' ? localPath(request.url, scope.location.origin) : undefined
    const content = path === undefined ? undefined : findAsset(path, assets)
    if (path === undefined || content === undefined) return original(request)
    return new Response(content as BodyInit, { headers: { 'content-type': typeOf(path) } })
  }
  if ('document' in scope) serveElements(scope as Window & typeof globalThis, assets)
}
