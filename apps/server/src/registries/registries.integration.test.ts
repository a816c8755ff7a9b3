import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'

const asked: { path: string; authorization: string | undefined }[] = []
const registry = createServer((request, response) => {
  asked.push({ path: request.url ?? '', authorization: request.headers.authorization })
  const known = request.url === '/@acme%2fbox' && request.headers.authorization === 'Bearer secret'
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
  response.end(known ? '{"name":"@acme/box"}' : '{}')
})
let server: TestServer
let ada: TestBrowser
let grace: TestBrowser
let path: string
let team: string

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
  await valueOf(
    ada,
    `mutation { createOrUpdatePrivateNpmRegistry(teamId: "${team}", registryType: CUSTOM, registryUrl: "${url}",
      registryAuthKey: "secret", enabledScopes: ["@acme"], limitToScopes: true, proxyEnabled: true, sandpackTrustedDomains: ["*.acme.test"]) { registryUrl } }`,
  )
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
