import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'

const versionOf = (version: string) => ({
  name: '@acme/box',
  version,
  dist: {
    tarball: `http://registry.test/@acme/box/-/box-${version}.tgz`,
    integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
  },
})
const metadata = {
  name: '@acme/box',
  'dist-tags': { latest: '2.1.0', next: '3.0.0-beta.1' },
  versions: Object.fromEntries(['1.4.2', '2.1.0', '3.0.0-beta.1'].map((version) => [version, versionOf(version)])),
}
const registry = createServer((request, response) => {
  const known = decodeURIComponent(request.url ?? '') === '/@acme/box'
  response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(known ? metadata : { error: 'not found' }))
})
let server: TestServer

beforeAll(async () => {
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const { port } = registry.address() as AddressInfo
  server = await startTestServer({ BOXYARD_NPM_REGISTRY: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await server.close()
  registry.close()
  registry.closeAllConnections()
})

it.each([
  ['@acme/box', '2.1.0'],
  ['@acme/box@next', '3.0.0-beta.1'],
  ['@acme%2fbox@%5E1.0.0', '1.4.2'],
  ['@acme/box@1.4.2', '1.4.2'],
])('AP624: %s means version %s', async (asked, version) => {
  const answer = await server.browser().call('GET', `/api/v1/dependencies/${asked}`)
  expect(answer).toMatchObject({ status: 200, body: { data: { name: '@acme/box', version } } })
})

it.each(['@acme/none', '@acme/box@9', '../etc/passwd', '@acme/box@1@2'])(
  'AP624: %s means none, which is said',
  async (asked) => {
    const answer = await server.browser().call('GET', `/api/v1/dependencies/${encodeURIComponent(asked)}`)
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
  },
)
