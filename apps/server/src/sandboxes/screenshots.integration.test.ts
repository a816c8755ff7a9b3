import { afterAll, beforeAll, expect, it } from 'vitest'
import { roomDocuments } from '../database/schema.ts'
import { valueOf } from '../testing/ask.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { recordingMachines } from '../testing/machines.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'
import { writeTemplates } from '../testing/templates.ts'

const templates = writeTemplates({ node: { title: 'Node' } })
let server: TestServer
let owner: TestBrowser
let id: string

interface Shown {
  screenshotUrl: string | null
  screenshotOutdated: boolean
}
const shown = (of: string) =>
  valueOf<Shown>(owner, `{ sandbox(sandboxId: "${of}") { screenshotUrl screenshotOutdated } }`)

beforeAll(async () => {
  const machines = async () => ({ service: recordingMachines(), close: async () => undefined })
  server = await startTestServer({}, { machines, templatesFolder: templates.folder })
  owner = await server.signedIn('owner')
  const files = {
    'package.json': { content: '{}' },
    'src/index.js': { content: 'let shown = 1\n' },
    'zero.txt': { content: 'last' },
  }
  const { body } = await owner.call('POST', '/api/v1/sandboxes/define?json=1', { files })
  id = (body as { sandbox_id: string }).sandbox_id
})
afterAll(async () => {
  await server.close()
  templates.remove()
})

it('AP851: a sandbox has a picture of its first file, which changes with its files', async () => {
  const { screenshotUrl } = await shown(id)
  const first = await owner.request(screenshotUrl!)
  expect(first).toMatchObject({ status: 200, headers: { 'content-type': 'image/svg+xml; charset=utf-8' } })
  expect(first.headers['cache-control']).toBe('private, max-age=31536000, immutable')
  expect(first.headers['content-security-policy']).toContain("default-src 'none'")
  expect(first.text).toContain('>src/index.js<')
  const rest = await owner.call('GET', `/api/v1/sandboxes/${id}`)
  const { data } = rest.body as {
    data: { screenshot_url: string; modules: { title: string; shortid: string }[] }
  }
  expect(data.screenshot_url).toBe(screenshotUrl)
  const { shortid } = data.modules.find(({ title }) => title === 'index.js')!
  await owner.call('PUT', `/api/v1/sandboxes/${id}/modules/${shortid}`, { module: { code: 'let other = 2\n' } })
  const next = await shown(id)
  expect(next.screenshotUrl).not.toBe(screenshotUrl)
  const painted = (await owner.request(next.screenshotUrl!)).text
  expect(painted.replace(/<[^>]*>/g, '')).toContain('let other = 2')
  // What was the picture then is asked for again by whoever still has its address.
  expect((await owner.request(screenshotUrl!)).headers['cache-control']).toBe('private, no-cache')

  await server.context.database.insert(roomDocuments).values({
    sandboxId: id,
    shortid,
    text: '"let unsaved"',
    textRevision: 0,
    lastAccepted: '[]',
    revision: 0,
    saved: '"let other"',
  })
  expect(await shown(id)).toMatchObject({ screenshotOutdated: true })
})

it('AP852: the picture is for those who may see the sandbox', async () => {
  const { screenshotUrl } = await shown(id)
  const stranger = await server.signedIn('stranger')
  for (const browser of [stranger, server.browser()]) {
    expect((await browser.request(screenshotUrl!)).status).toBe(404)
  }
  await owner.call('PATCH', `/api/v1/sandboxes/${id}/privacy`, { sandbox: { privacy: 0 } })
  expect((await stranger.request(screenshotUrl!)).status).toBe(200)
})

it('AP851: a devbox has none, since its files are on its machine', async () => {
  const made = await owner.call('POST', '/api/v1/sandboxes/node/fork', {})
  const devbox = (made.body as { data: { id: string } }).data.id
  expect(await shown(devbox)).toEqual({ screenshotUrl: null, screenshotOutdated: false })
})
