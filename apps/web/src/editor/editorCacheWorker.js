// The service worker. The build fills in its name, that of the cache and the files that an editor page needs for sure. Modules from a cache
// of this kind start faster than those from the browser's own.
const build = __BUILD__
/** The same for builds in which the same files are kept: what was compiled of them stays. */
const cacheName = `boxyard-editor-${__KEPT__}`
const files = __FILES__
/** The large ones. A browser compiles all of a script that is kept during `install`, which takes it seconds; of one that is kept later it keeps what a page has compiled. */
const parts = __PARTS__
/** Where people begin, also those who have installed the app. */
const starts = ['/', '/dashboard', '/dashboard/*']

self.addEventListener('install', (event) => {
  event.waitUntil(keep(files))
  // Where the browser can, it asks the server for pages and answers, and takes what is kept, without starting this worker first.
  const fromServer = [{ requestMode: 'navigate' }, { urlPattern: '/api/*' }]
  event.waitUntil(
    event.addRoutes?.([
      // What comes first counts. A page of a sandbox opens without a server too.
      ...['/sandbox/*', ...starts].map((urlPattern) => ({
        condition: { urlPattern, requestMode: 'navigate' },
        source: 'race-network-and-fetch-handler',
      })),
      ...fromServer.map((condition) => ({ condition, source: 'network' })),
      // What is not kept comes from the server as well.
      { condition: { urlPattern: '/assets/*' }, source: { cacheName } },
    ]),
  )
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    removeKept((name) => name !== cacheName)
      .then(() => self.clients.claim())
      .then(keepParts),
  )
})

// A page says that it has all it needs (what could not be kept by then is now), that it is about to compile or has compiled, or that what is kept is in its way.
self.addEventListener('message', (event) => {
  const { data, ports } = event
  event.waitUntil(answer(data).then((said) => ports[0]?.postMessage({ ...said, build })))
})

async function answer({ type, build: buildOfPage, files, engine }) {
  switch (type) {
    case 'CLEAR_CACHE':
      return { type: await clear() }
    case 'COMPILE':
      return { type, files: await keptAnew(files, engine) }
    case 'COMPILED':
      await markCompiled(files, engine)
      return { type }
    default:
      return { type: await begin(buildOfPage) }
  }
}

/** What is kept, beside what the server has and what the page is of. */
async function begin(buildOfPage) {
  const newest = await newestBuild()
  if (newest === undefined) return 'NOT_AVAILABLE'
  // The worker that comes in place of this one keeps that.
  if (newest !== build) return 'EXPIRED'
  let isNew
  try {
    isNew = await keepParts()
  } catch (error) {
    console.warn('The editor is not kept for later visits', error)
    return 'UPDATE_FAILED'
  }
  if (buildOfPage !== build) return 'UPDATED'
  return isNew ? 'CACHE_CREATED' : 'LATEST'
}

/** The name of the build that the server has; undefined where it does not answer. */
async function newestBuild() {
  try {
    const answer = await fetch(new Request(`${self.location.origin}/build.json`, { cache: 'no-store' }))
    return answer.ok ? (await answer.json()).build : undefined
  } catch {
    return undefined
  }
}

async function clear() {
  try {
    await removeKept(() => true)
    return 'CLEAR_CACHE_SUCCESS'
  } catch (error) {
    console.warn('What is kept of the editor could not be removed', error)
    return 'CLEAR_CACHE_ERROR'
  }
}

/** Removes what is kept of editors, in the caches of these names. */
async function removeKept(isMeant) {
  const names = (await caches.keys()).filter((name) => name.startsWith('boxyard-editor-') && isMeant(name))
  await Promise.all(names.map((name) => caches.delete(name)))
}

self.addEventListener('fetch', (event) => {
  const { method, url, headers } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== self.location.origin || headers.has('range')) return
  if (pathname.startsWith('/assets/')) event.respondWith(kept(event.request))
  else if (event.request.mode !== 'navigate') return
  else if (pathname.startsWith('/sandbox/')) event.respondWith(pageOfSandbox(event.request, origin + pathname))
  else if (pathname === '/' || /^\/dashboard(?:\/|$)/.test(pathname)) event.respondWith(startPage(event.request))
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

/** From the server; while none answers, what opens in this browser all the same. */
async function startPage(request) {
  let answer
  try {
    answer = await fetch(request)
    if (![502, 503, 504].includes(answer.status)) return answer
  } catch {
    // What there is without a server is said by the page itself.
  }
  const sandboxes = await keptSandboxes()
  if (sandboxes.length === 0 && answer) return answer
  return new Response(listOf(sandboxes), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'",
    },
  })
}

/** Those whose page is kept, with their titles. */
async function keptSandboxes() {
  const names = (await caches.keys()).filter((name) => name.startsWith('boxyard-offline-'))
  const found = names.map(async (name) => {
    const id = name.slice('boxyard-offline-'.length)
    const { origin } = self.location
    const cache = await caches.open(name)
    const match = (path) => cache.match(`${origin}${path}${encodeURIComponent(id)}`, { ignoreVary: true })
    const [page, answer] = await Promise.all([match('/sandbox/'), match('/api/v1/sandboxes/')])
    const title = (await answer?.json().catch(() => undefined))?.data?.title
    return page ? [{ id, title: typeof title === 'string' && title !== '' ? title : id }] : []
  })
  return (await Promise.all(found)).flat().toReversed()
}

function listOf(sandboxes) {
  const escaped = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`)
  const items = sandboxes.map(
    ({ id, title }) => `<li><a href="/sandbox/${encodeURIComponent(id)}">${escaped(title)}</a></li>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Boxyard, offline</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  main { max-width: 40rem; margin: 15vh auto; padding: 0 1.5rem }
  li { margin: 0.25rem 0; overflow-wrap: anywhere }
</style>
<main>
  <h1>The server does not answer</h1>
  ${
    items.length === 0
      ? '<p>No sandbox is kept in this browser. Those that run in the browser are, once they were open.</p>'
      : `<p>These sandboxes open all the same. What you type in them is sent when the server is back.</p>\n  <ul>${items.join('')}</ul>`
  }
  <p><a href="">Try again</a></p>
</main>
</html>`
}

let keeping

/** One turn at a time serves everyone who asks. Whether something was not kept before. */
function keepParts() {
  keeping ??= keep(parts).finally(() => (keeping = undefined))
  return keeping
}

/** Keeps what is not kept yet, and says whether that was something. What the names promise is not asked for again: the visit that installs this has fetched most of it. */
async function keep(names) {
  const cache = await caches.open(cacheName)
  const keepOne = async (address) => {
    if (await cache.match(address)) return false
    await fetchInto(cache, address)
    return true
  }
  return (await Promise.all(names.map((name) => keepOne(self.location.origin + name)))).includes(true)
}

/** Where it is written which engine a part was compiled by, after a page had run it. */
const markOf = (part) => `${self.location.origin}${part}?compiled`

/**
 * The parts among `files` that no page has compiled with `engine`, kept anew: what a browser has compiled of them by itself, in a page that had run nothing of them before,
 * is little, and it would stay.
 */
async function keptAnew(files, engine) {
  const cache = await caches.open(cacheName)
  const wanted = []
  for (const part of parts.filter((part) => files.includes(part))) {
    const mark = await cache.match(markOf(part))
    if ((await mark?.text()) === engine) continue
    try {
      await fetchInto(cache, self.location.origin + part)
      wanted.push(part)
    } catch (error) {
      console.warn('The editor is compiled anew on the next visit', error)
    }
  }
  return wanted
}

async function markCompiled(files, engine) {
  const cache = await caches.open(cacheName)
  for (const part of parts.filter((part) => files.includes(part))) await cache.put(markOf(part), new Response(engine))
}

async function fetchInto(cache, address) {
  const answer = await fetch(new Request(address, { cache: 'force-cache' }))
  if (!answer.ok) throw new Error(`${address} can't be kept: ${answer.status}`)
  await cache.put(address, answer)
}

async function kept(request) {
  const cache = await caches.open(cacheName)
  return (await cache.match(request)) ?? fetch(request)
}
