import { afterAll, beforeAll, expect, it } from 'vitest'
import { startFakeRegistry } from '../../../../packages/packer/src/testing/fakeRegistry.ts'
import { valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { askPreview, previewToken } from '../testing/preview.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'

const made = (name: string, code: string) => ({
  name,
  version: '1.0.0',
  manifest: { type: 'module', main: 'index.js', types: 'index.d.ts' },
  files: { 'index.js': code, 'index.d.ts': 'export const box: string' },
})
let registry: Awaited<ReturnType<typeof startFakeRegistry>>
let server: TestServer
let ada: TestBrowser
let grace: TestBrowser
let id: string

beforeAll(async () => {
  registry = await startFakeRegistry(
    [made('@acme/box', 'export const box = "of acme"'), made('@acme/secret', 'export const secret = 1')],
    'Bearer key-of-acme',
  )
  // The registry of the installation is trusted to be on this machine, so the private one is another address of it.
  server = await startTestServer({ BOXYARD_NPM_REGISTRY: registry.origin })
  ada = await server.signedIn('ada')
  grace = await server.signedIn('grace')
  const files = {
    'package.json': { content: '{"dependencies":{"@acme/box":"1"}}' },
    'index.js': { content: 'import "@acme/box"' },
  }
  const { body } = await ada.call('POST', '/api/v1/sandboxes/define?json=1', { files })
  id = (body as { sandbox_id: string }).sandbox_id
  await ada.call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 0 } })
  const team = (await valueOf<{ personalWorkspaceId: string }>(ada, '{ me { personalWorkspaceId } }'))
    .personalWorkspaceId
  await valueOf(
    ada,
    `mutation { createOrUpdatePrivateNpmRegistry(teamId: "${team}", registryType: CUSTOM, registryUrl: "${registry.origin}",
      registryAuthKey: "key-of-acme", enabledScopes: ["@acme"], limitToScopes: true, proxyEnabled: true) { registryUrl } }`,
  )
})
afterAll(async () => {
  await server.close()
  await registry.close()
})

const ask = (browser: TestBrowser, kind: string, dependencies: object, sandbox = id) =>
  browser.call('POST', `/api/v1/sandboxes/${sandbox}/${kind}`, {
    dependencies,
    ...(kind === 'packs' ? { specifiers: Object.keys(dependencies) } : {}),
  })

it('PK914: whoever may change a sandbox gets the private packages of its workspace, without the key', async () => {
  for (const kind of ['packs', 'types', 'sources']) {
    const answer = await ask(ada, kind, { '@acme/box': '1', '@acme/secret': '1' })
    expect([kind, answer.status, JSON.stringify(answer.body)]).toEqual([
      kind,
      200,
      expect.stringMatching(/[0-9a-f]{64}/),
    ])
    expect(JSON.stringify(answer)).not.toContain('key-of-acme')
  }
})

it('PK914: others get what the sandbox is saved with, and learn nothing of the rest', async () => {
  const shown = await ask(grace, 'packs', { '@acme/box': '1' })
  const { data } = shown.body as { data: { id: string; imports: Record<string, { file: string }> } }
  const path = `/__boxyard/packs/${data.id}/${data.imports['@acme/box']!.file}`
  const token = await previewToken(grace, id)
  expect((await askPreview(server, { id, port: 8080, token, path })).status).toBe(200)
  const before = registry.requests.length
  for (const browser of [grace, server.browser()]) {
    for (const wanted of [{ '@acme/secret': '1' }, { '@acme/box': '*' }, { other: 'npm:@acme/secret@1' }]) {
      expect([wanted, (await ask(browser, 'packs', wanted)).status]).toEqual([wanted, 403])
      expect([wanted, (await ask(browser, 'sources', wanted)).status]).toEqual([wanted, 403])
      expect([wanted, (await ask(browser, 'types', wanted)).status]).toEqual([wanted, 403])
    }
  }
  expect(registry.requests).toHaveLength(before)
})

it('PK914: a copy in another workspace has no way to them', async () => {
  const { body } = await grace.call('POST', `/api/v1/sandboxes/${id}/fork`, { v2: false })
  const copy = (body as { data: { id: string } }).data.id
  const refused = await ask(grace, 'packs', { '@acme/box': '1' }, copy)
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.body)).not.toContain(registry.origin)
})
