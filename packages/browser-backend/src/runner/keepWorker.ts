import { isOfPage, isPack, KEPT_PAGE } from './keptPage.ts'

// The service worker on the host of a preview: its page opens again while no server answers.

/** As far as it is used of what only service workers have. */
interface WorkerScope {
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'install', listener: (event: InstallEvent) => void): void
  addEventListener(type: 'activate', listener: (event: Waiting) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  location: Location
}
interface Waiting {
  waitUntil(work: Promise<unknown>): void
}
interface InstallEvent extends Waiting {
  addRoutes?(routes: readonly object[]): Promise<void>
}
interface FetchEvent extends Waiting {
  request: Request
  respondWith(answer: Promise<Response>): void
}

const scope = globalThis as unknown as WorkerScope
/** Answers of a proxy whose server is away. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504])

scope.addEventListener('install', (event) => {
  // Where the browser can, it asks the server without waiting for this worker to start.
  const routes = [{ condition: { urlPattern: '/*', requestMethod: 'get' }, source: 'race-network-and-fetch-handler' }]
  event.waitUntil(Promise.all([event.addRoutes?.(routes), scope.skipWaiting()]))
})
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== scope.location.origin) return
  // Every path of the project is one page, which asks the editor for what is in it.
  if (request.mode === 'navigate' && !pathname.startsWith('/__boxyard/')) event.respondWith(answer(event, '/'))
  else if (isOfPage(pathname)) event.respondWith(answer(event, pathname))
})

/**
 * From the server, and from here where it does not answer. Code of the project can write what is kept here: as long as there is a server
 * it counts for nothing.
 */
async function answer(event: FetchEvent, key: string): Promise<Response> {
  const cache = await caches.open(KEPT_PAGE)
  const kept = async () => {
    const old = await cache.match(key, { ignoreVary: true })
    const clean = withoutToken(event.request)
    return old && clean !== undefined ? Response.redirect(clean) : old
  }
  let given: Response
  try {
    given = await fetch(event.request)
  } catch (cause) {
    const old = await kept()
    if (old) return old
    throw cause
  }
  if (AWAY.has(given.status)) return (await kept()) ?? given
  // A redirect, as the one that exchanges a token for a cookie, is followed by the browser. A pack is large, and stays as it is.
  const isOfServer = given.ok && given.type === 'basic' && !given.redirected
  if (isOfServer && !(isPack(key) && (await cache.match(key, { ignoreVary: true }))))
    event.waitUntil(cache.put(key, given.clone()))
  return given
}

/** The address without the token in it, which the server takes out of it too; undefined where there is none. */
function withoutToken({ mode, url }: Request): string | undefined {
  const address = new URL(url)
  if (mode !== 'navigate' || !address.searchParams.has('preview_token')) return undefined
  address.searchParams.delete('preview_token')
  return address.href
}
