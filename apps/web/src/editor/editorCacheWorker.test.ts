import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { memoryCaches } from '@boxyard/browser-backend/testing'
import { expect, it } from 'vitest'

const source = readFileSync(fileURLToPath(new URL('editorCacheWorker.js', import.meta.url)), 'utf8')
const origin = 'https://app.boxyard.test'

/** The worker of a browser that keeps these sandboxes, by id, with their titles. `fetch`: what the server says. */
async function begin(fetch: () => Promise<Response>, kept: Readonly<Record<string, string>> = {}) {
  const caches = memoryCaches()
  for (const [id, title] of Object.entries(kept)) {
    const cache = await caches.open(`boxyard-offline-${id}`)
    await cache.put(`${origin}/sandbox/${id}`, new Response('the page'))
    await cache.put(`${origin}/api/v1/sandboxes/${id}`, Response.json({ data: { title } }))
  }
  // What nobody has opened whole does not open.
  await (await caches.open('boxyard-offline-half')).put(`${origin}/api/v1/sandboxes/half`, Response.json({ data: {} }))
  const listeners = new Map<string, (event: unknown) => void>()
  const self = {
    location: new URL(`${origin}/editor-cache.js`),
    addEventListener: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
  }
  const filled = source.replace('__BUILD__', '"build"').replace('__FILES__', '[]')
  // eslint-disable-next-line no-new-func
  new Function('self', 'caches', 'fetch', filled)(self, caches, fetch)
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
