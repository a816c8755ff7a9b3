import { memoryCaches } from '@boxyard/browser-backend/testing'
import { expect, it } from 'vitest'
import { offlineFetch } from './offlineFetch.ts'

const origin = 'http://app.boxyard.test'
const CURRENT = '/api/v1/users/current'

/** A browser on a page, with a server that somebody is signed in at. */
function browser(pathname: string) {
  const server = { person: 'ada' as string | null, isAway: false, asked: 0 }
  const page = { pathname, origin }
  const caches = memoryCaches()
  const ask = offlineFetch(
    async (address) => {
      const { pathname: at } = new URL(String(address), origin)
      if (server.isAway) throw new TypeError('Failed to fetch')
      server.asked += 1
      if (at === '/api/v1/users/signout') return new Response(null, { status: 204 })
      return server.person === null
        ? new Response('{}', { status: 401 })
        : Response.json({ data: { id: server.person, at } })
    },
    page,
    caches,
  )
  return { server, page, caches, ask }
}

it('BB952: what the page of a sandbox needs is there without a server, and nothing else is', async () => {
  const { server, ask, page } = browser('/sandbox/one')
  await ask(CURRENT)
  await ask('/api/v1/sandboxes/one')
  await ask('/api/v1/teams')
  await expect.poll(async () => (await ask('/api/v1/sandboxes/one')).ok).toBe(true)
  server.isAway = true
  expect(await (await ask(CURRENT)).json()).toMatchObject({ data: { id: 'ada' } })
  expect(await (await ask('/api/v1/sandboxes/one')).json()).toMatchObject({ data: { at: '/api/v1/sandboxes/one' } })
  await expect(ask('/api/v1/teams')).rejects.toThrow('Failed to fetch')
  page.pathname = '/dashboard/recent'
  await expect(ask(CURRENT)).rejects.toThrow('Failed to fetch')
})

for (const [who, change] of [
  ['somebody else signs in', { person: 'grace' }],
  ['nobody is signed in any more', { person: null }],
] as const) {
  it(`BB954: nothing is kept when ${who}`, async () => {
    const { server, ask, caches, page } = browser('/sandbox/one')
    await ask(CURRENT)
    await expect.poll(() => caches.match(origin + CURRENT)).toBeDefined()
    Object.assign(server, change)
    page.pathname = '/dashboard/recent'
    await ask(CURRENT)
    expect(await caches.keys()).toEqual([])
  })
}

it('BB954: nothing is kept when the person signs out', async () => {
  const { ask, caches } = browser('/sandbox/one')
  await ask('/api/v1/sandboxes/one')
  await expect.poll(() => caches.keys()).not.toEqual([])
  await ask('/api/v1/users/signout', { method: 'DELETE' })
  expect(await caches.keys()).toEqual([])
})
