import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { memoryCaches } from '@boxyard/browser-backend/testing'
import { expect, it } from 'vitest'

const source = readFileSync(fileURLToPath(new URL('editorCacheWorker.js', import.meta.url)), 'utf8')
const origin = 'https://app.boxyard.test'

/** The worker with nothing kept. */
function run(fetch: (request: Request) => Promise<Response>) {
  const caches = memoryCaches()
  const listeners = new Map<string, (event: unknown) => void>()
  const self = {
    location: new URL(`${origin}/editor-cache.js`),
    skipWaiting: () => {},
    addEventListener: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
  }
  const filled = source
    .replace('__BUILD__', '"second"')
    .replace('__KEPT__', '"kept"')
    .replace('__FILES__', '[]')
    .replace('__PARTS__', '["/assets/a.part.js", "/assets/b.part.js"]')
  // eslint-disable-next-line no-new-func
  new Function('self', 'caches', 'fetch', filled)(self, caches, fetch)
  return { caches, listeners }
}

/** The worker of a browser that keeps these sandboxes, by id, with their titles. `fetch`: what the server says. */
async function begin(fetch: () => Promise<Response>, kept: Readonly<Record<string, string>> = {}) {
  const { caches, listeners } = run(fetch)
  for (const [id, title] of Object.entries(kept)) {
    const cache = await caches.open(`boxyard-offline-${id}`)
    await cache.put(`${origin}/sandbox/${id}`, new Response('the page'))
    await cache.put(`${origin}/api/v1/sandboxes/${id}`, Response.json({ data: { title } }))
  }
  // What nobody has opened whole does not open.
  await (await caches.open('boxyard-offline-half')).put(`${origin}/api/v1/sandboxes/half`, Response.json({ data: {} }))
  return (path: string, mode = 'navigate') => {
    let answer: Promise<Response> | undefined
    const request = { method: 'GET', url: origin + path, headers: new Headers(), mode }
    listeners.get('fetch')!({ request, respondWith: (given: Promise<Response>) => (answer = given) })
    return answer
  }
}

const away = () => Promise.reject(new TypeError('Failed to fetch'))

it('BB1041: where the app begins it lists the sandboxes that open while no server answers', async () => {
  const open = await begin(away, { one: 'First', two: '<img src=x onerror="x">' })
  for (const path of ['/', '/dashboard', '/dashboard/recent']) {
    const answer = await open(path)!
    const html = await answer.text()
    expect([...html.matchAll(/href="(\/sandbox\/[^"]*)">([^<]*)</g)].map(([, ...found]) => found)).toEqual([
      ['/sandbox/two', '&#60;img src=x onerror=&#34;x&#34;&#62;'],
      ['/sandbox/one', 'First'],
    ])
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  expect(open('/account/api')).toBeUndefined()
  expect(open('/dashboard/recent', 'cors')).toBeUndefined()
})

it('BB1041: it says that none is kept, and is what the server says where that answers', async () => {
  const empty = await begin(away)
  expect(await (await empty('/')!).text()).toContain('No sandbox is kept in this browser')
  const there = await begin(async () => new Response('the app'), { one: 'First' })
  expect(await (await there('/')!).text()).toBe('the app')
  const behindProxy = await begin(async () => new Response('Bad Gateway', { status: 502 }), { one: 'First' })
  expect(await (await behindProxy('/')!).text()).toContain('>First<')
})

/** Tells the worker what a page says, and answers with what it is told. */
function telling(listeners: ReturnType<typeof run>['listeners']) {
  return (data: object) =>
    new Promise<unknown>((resolve) =>
      listeners.get('message')!({ data, ports: [{ postMessage: resolve }], waitUntil: () => {} }),
    )
}

const INIT = { type: 'INIT', build: 'second' }

it('WB1082, WB1110: the scripts of the editor are kept when a page says so, and once', async () => {
  const asked: string[] = []
  let status = 503
  const { caches, listeners } = run(async ({ url }) => {
    if (url.endsWith('/build.json')) return Response.json({ build: 'second' })
    asked.push(url.slice(origin.length))
    return new Response('a part', { status })
  })
  const tell = telling(listeners)
  expect(await tell(INIT)).toEqual({ type: 'UPDATE_FAILED', build: 'second' })
  status = 200
  // Two pages ask at once.
  asked.length = 0
  expect(await Promise.all([tell(INIT), tell(INIT)])).toMatchObject([
    { type: 'CACHE_CREATED' },
    { type: 'CACHE_CREATED' },
  ])
  expect(asked).toEqual(['/assets/a.part.js', '/assets/b.part.js'])
  expect(await (await caches.match(`${origin}/assets/b.part.js`))!.text()).toBe('a part')
  asked.length = 0
  expect(await tell(INIT)).toMatchObject({ type: 'LATEST' })
  expect(asked).toEqual([])
})

it('WB1110: a page is told whether it, or the worker, is older than what the server has', async () => {
  let newest: string | undefined = 'second'
  const { listeners } = run(async ({ url }) => {
    if (!url.endsWith('/build.json')) return new Response('a part')
    if (newest === undefined) throw new TypeError('Failed to fetch')
    return Response.json({ build: newest })
  })
  const tell = telling(listeners)
  expect(await tell({ type: 'INIT', build: 'first' })).toEqual({ type: 'UPDATED', build: 'second' })
  newest = 'third'
  expect(await tell(INIT)).toMatchObject({ type: 'EXPIRED' })
  newest = undefined
  expect(await tell(INIT)).toMatchObject({ type: 'NOT_AVAILABLE' })
})

it('WB1110: what is kept of the editor is removed when a page asks for it, and nothing else', async () => {
  const { caches, listeners } = run(async ({ url }) =>
    url.endsWith('/build.json') ? Response.json({ build: 'second' }) : new Response('a part'),
  )
  await (await caches.open('boxyard-offline-one')).put(`${origin}/sandbox/one`, new Response('the page'))
  const tell = telling(listeners)
  await tell(INIT)
  expect(await caches.keys()).toEqual(['boxyard-offline-one', 'boxyard-editor-kept'])
  expect(await tell({ type: 'CLEAR_CACHE' })).toMatchObject({ type: 'CLEAR_CACHE_SUCCESS' })
  expect(await caches.keys()).toEqual(['boxyard-offline-one'])
  caches.delete = () => Promise.reject(new Error('closed'))
  await caches.open('boxyard-editor-old')
  expect(await tell({ type: 'CLEAR_CACHE' })).toMatchObject({ type: 'CLEAR_CACHE_ERROR' })
})

it('WB1113: a script that nobody has compiled with an engine is kept anew when a page is about to, and no more once it has', async () => {
  let isAway = false
  const { caches, listeners } = run(async ({ url }) => {
    if (isAway) throw new TypeError('Failed to fetch')
    return url.endsWith('/build.json') ? Response.json({ build: 'second' }) : new Response('a part')
  })
  const tell = telling(listeners)
  await tell(INIT)
  const cache = await caches.open('boxyard-editor-kept')
  await cache.put(`${origin}/assets/a.part.js`, new Response('compiled by itself'))
  const files = ['/assets/a.part.js', '/assets/of-another-build.part.js']
  const step = (type: string, engine: string) => tell({ type, files, engine })
  expect(await step('COMPILE', '156.0')).toEqual({ type: 'COMPILE', files: ['/assets/a.part.js'], build: 'second' })
  expect(await (await cache.match(`${origin}/assets/a.part.js`))!.text()).toBe('a part')
  // The page was closed before it had.
  expect(await step('COMPILE', '156.0')).toMatchObject({ files: ['/assets/a.part.js'] })
  expect(await step('COMPILED', '156.0')).toEqual({ type: 'COMPILED', build: 'second' })
  expect(await step('COMPILE', '156.0')).toMatchObject({ files: [] })
  expect(await step('COMPILE', '157.0')).toMatchObject({ files: ['/assets/a.part.js'] })
  isAway = true
  expect(await step('COMPILE', '157.0')).toMatchObject({ files: [] })
  expect(await caches.match(`${origin}/assets/of-another-build.part.js?compiled`)).toBeUndefined()
})

it('WB1082: they are none of what is kept when the worker is installed', async () => {
  const { listeners } = run(() => Promise.reject(new Error('nothing is asked for')))
  const work: unknown[] = []
  const event = { waitUntil: (given: unknown) => work.push(given) }
  listeners.get('install')!(event)
  await Promise.all(work)
  expect(work.length).toBeGreaterThan(0)
})
