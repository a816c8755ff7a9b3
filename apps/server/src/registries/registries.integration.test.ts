import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'

const asked: { path: string; authorization: string | undefined }[] = []
let failure: { status: number; body: string } | 'away' | null = null
const registry = createServer((request, response) => {
  asked.push({ path: request.url ?? '', authorization: request.headers.authorization })
  if (failure === 'away') return response.destroy()
  if (failure) return response.writeHead(failure.status).end(failure.body)
  const known = request.url === '/@acme%2fbox' && request.headers.authorization === 'Bearer secret'
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
  response.end(known ? '{"name":"@acme/box"}' : '{}')
})
let server: TestServer
let ada: TestBrowser
let grace: TestBrowser
let path: string
let team: string
let setProxy: (proxyEnabled: boolean) => Promise<unknown>

beforeAll(async () => {
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
  server = await startTestServer({ BOXYARD_NPM_REGISTRY: url })
  ada = await server.signedIn('ada')
  grace = await server.signedIn('grace')
  const files = { 'index.js': { content: '1' } }
  const { body } = await ada.call('POST', '/api/v1/sandboxes/define?json=1', { files })
  const id = (body as { sandbox_id: string }).sandbox_id
  path = `/api/v1/sandboxes/${id}/npm_registry`
  await ada.call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 0 } })
  expect((await ada.call('GET', `${path}/@acme%2fbox`)).status).toBe(404)
  team = (await valueOf<{ personalWorkspaceId: string }>(ada, '{ me { personalWorkspaceId } }')).personalWorkspaceId
  setProxy = (proxyEnabled) =>
    valueOf(
      ada,
      `mutation { createOrUpdatePrivateNpmRegistry(teamId: "${team}", registryType: CUSTOM, registryUrl: "${url}", registryAuthKey: "secret",
        enabledScopes: ["@acme"], limitToScopes: true, proxyEnabled: ${proxyEnabled}, sandpackTrustedDomains: ["*.acme.test"]) { registryUrl } }`,
    )
  await setProxy(true)
})
afterAll(async () => {
  await server.close()
  registry.close()
  registry.closeAllConnections()
})

it('AP625: a private registry is asked with its key for packages of its scopes, by who may change the sandbox', async () => {
  const found = await ada.call('GET', `${path}/@acme%2fbox`)
  expect(found).toMatchObject({ status: 200, body: { name: '@acme/box' } })
  expect(JSON.stringify(found)).not.toContain('secret')
  const before = asked.length
  expect((await ada.call('GET', `${path}/react`)).status).toBe(404)
  expect((await ada.call('GET', `${path}/@acme%2f..%2f..%2fother`)).status).toBe(404)
  expect((await grace.call('GET', `${path}/@acme%2fbox`)).status).toBe(403)
  expect((await server.browser().call('GET', `${path}/@acme%2fbox`)).status).toBe(401)
  // Nothing of that reached the registry.
  expect(asked).toHaveLength(before)
  expect((await ada.call('GET', `${path}/@acme%2fnone`)).status).toBe(404)
})

it('AP625: its scopes are the same in any case, and those of declarations made for them', async () => {
  const before = asked.length
  for (const name of ['@ACME%2fother', '@types%2facme__box']) {
    const answer = await ada.call('GET', `${path}/${name}`)
    expect([name, answer.status, JSON.stringify(answer.body)]).toEqual([
      name,
      404,
      expect.stringContaining('Could not fetch from registry. Make sure the right auth token and URL are set.'),
    ])
  }
  expect(asked.slice(before).map((one) => one.path)).toEqual(['/@ACME%2fother', '/@types%2facme__box'])
  for (const name of ['@types%2facme', '@acme-evil%2fbox', '@types%2facmes__box'])
    expect((await ada.call('GET', `${path}/${name}`)).status).toBe(404)
  expect(asked).toHaveLength(before + 2)
})

it.each([
  [{ status: 503, body: '{"errors":{"detail":"We are moving"}}' }, 'We are moving'],
  [{ status: 429, body: '{"error":"Slow down"}' }, 'Slow down'],
  ['away' as const, 'Make sure the right auth token and URL are set.'],
])('AP625: when it fails with %j it is said: %s', async (answer, detail) => {
  failure = answer
  const { status, body } = await ada.call('GET', `${path}/@acme%2fbox`)
  failure = null
  expect([status, JSON.stringify(body)]).toEqual([
    503,
    expect.stringContaining(`Could not fetch from registry. ${detail}`),
  ])
})

it('AP625: nothing is passed on while the proxy is switched off', async () => {
  await setProxy(false)
  const before = asked.length
  const { status, body } = await ada.call('GET', `${path}/@acme%2fbox`)
  expect([status, JSON.stringify(body)]).toEqual([404, expect.stringContaining('has switched the proxy')])
  expect(asked).toHaveLength(before)
  await setProxy(true)
  expect((await ada.call('GET', `${path}/@acme%2fbox`)).status).toBe(200)
})

it('AP811: pages elsewhere that a workspace trusts read its packages with a token of a member, and no others do', async () => {
  const minted = await ada.call('POST', `/api/v1/sandpack/token/${team}`, {})
  const { token } = (minted.body as { data: { token: string } }).data
  expect((await grace.call('POST', `/api/v1/sandpack/token/${team}`, {})).status).toBe(404)
  const page = server.browser()
  const read = (authorization: string | undefined, origin: string, method = 'GET', name = '@acme%2fbox') =>
    page.request(`/api/v1/sandpack/${team}/npm_registry/${name}`, {
      method,
      headers: { origin, ...(authorization === undefined ? {} : { authorization }) },
    })
  const trusted = 'https://docs.acme.test'
  expect(await read(`Bearer ${token}`, trusted)).toMatchObject({ status: 200, text: '{"name":"@acme/box"}' })
  expect((await read(undefined, trusted, 'OPTIONS')).status).toBe(204)
  const before = asked.length
  expect((await read(undefined, 'https://acme.test.evil.test', 'OPTIONS')).status).toBe(403)
  expect((await read(`Bearer ${token}`, 'https://evil.test')).status).toBe(403)
  expect((await read(`Bearer ${token}`, trusted, 'GET', 'react')).status).toBe(404)
  expect((await read(undefined, trusted)).status).toBe(401)
  expect((await read('Bearer nothing', trusted)).status).toBe(401)
  expect(asked).toHaveLength(before)
  const there = { authorization: `Bearer ${token}`, origin: trusted }
  expect((await page.request('/api/v1/users/current', { headers: there })).status).toBe(401)
})
