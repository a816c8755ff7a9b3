// The service worker. The build fills in the name of the cache and the files that an editor page needs for sure. Modules from a cache
// of this kind start faster than those from the browser's own.
const cacheName = `boxyard-editor-${__BUILD__}`
const files = __FILES__

self.addEventListener('install', (event) => {
  // What the names promise is not asked for again: the visit that installs this has fetched most of it.
  const requests = files.map((file) => new Request(file, { cache: 'force-cache' }))
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(requests)))
  // Where the browser can, it asks the server for pages and answers without starting this worker first.
  const fromServer = [{ requestMode: 'navigate' }, { urlPattern: '/api/*' }]
  event.waitUntil(
    event.addRoutes?.([
      // What comes first counts. A page of a sandbox opens without a server too.
      { condition: { urlPattern: '/sandbox/*', requestMode: 'navigate' }, source: 'race-network-and-fetch-handler' },
      ...fromServer.map((condition) => ({ condition, source: 'network' })),
    ]),
  )
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  const isOld = (name) => name.startsWith('boxyard-editor-') && name !== cacheName
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  const { method, url, headers } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== self.location.origin || headers.has('range')) return
  if (pathname.startsWith('/assets/')) event.respondWith(kept(event.request))
  else if (event.request.mode === 'navigate' && pathname.startsWith('/sandbox/'))
    event.respondWith(pageOfSandbox(event.request, origin + pathname))
})

/** From the server, and as it was kept by the page itself while no server answers. */
async function pageOfSandbox(request, address) {
  try {
    const answer = await fetch(request)
    if (![502, 503, 504].includes(answer.status)) return answer
    return (await caches.match(address, { ignoreVary: true })) ?? answer
  } catch (cause) {
    const old = await caches.match(address, { ignoreVary: true })
    if (old) return old
    throw cause
  }
}

async function kept(request) {
  const cache = await caches.open(cacheName)
  return (await cache.match(request)) ?? fetch(request)
}
