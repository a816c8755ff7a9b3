// The service worker. The build fills in the name of the cache and the files that the next visit needs for sure: put into the cache
// while it is installed, they are kept compiled.
const cacheName = `boxyard-editor-${__BUILD__}`
const files = __FILES__

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)))
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
  if (pathname.startsWith('/assets/')) event.respondWith(kept(event))
})

async function kept({ request }) {
  const cache = await caches.open(cacheName)
  // Workers are asked for with a query; the name alone says what is in the file.
  const known = await cache.match(request, { ignoreSearch: true })
  if (known) return known
  const answer = await fetch(request)
  // A full disk keeps nothing; the answer is good all the same.
  if (answer.status === 200 && answer.type === 'basic') await cache.put(request, answer.clone()).catch(() => undefined)
  return answer
}
