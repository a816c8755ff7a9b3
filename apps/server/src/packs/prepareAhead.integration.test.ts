import { sandboxSchema } from '@boxyard/api'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestBrowser } from '../testing/browser.ts'
import { startTestServer } from '../testing/server.ts'
import type { TestServer } from '../testing/server.ts'

const asked = new EventEmitter()
const names: string[] = []
const registry = createServer((request, response) => {
  const name = decodeURIComponent(request.url ?? '').slice(1)
  names.push(name)
  response.writeHead(404, { 'content-type': 'application/json' })
  response.end('{}')
  asked.emit(name)
})
let server: TestServer
let owner: TestBrowser

beforeAll(async () => {
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const { port } = registry.address() as AddressInfo
  server = await startTestServer({ BOXYARD_NPM_REGISTRY: `http://127.0.0.1:${port}` })
  owner = await server.signedIn('owner')
})
afterAll(async () => {
  await server.close()
  registry.close()
  registry.closeAllConnections()
})

const manifest = (...dependencies: string[]) =>
  JSON.stringify({ dependencies: Object.fromEntries(dependencies.map((name) => [name, '1'])) })

it('AP948: what a new project imports is asked for before anybody opens it, and what its package.json gets later', async () => {
  const files = {
    'package.json': { content: manifest('left-part', 'not-imported') },
    'index.html': { content: '<script type="module" src="/main.ts"></script>' },
    'main.ts': { content: "import left from 'left-part'\nleft()" },
  }
  const wasAsked = once(asked, 'left-part')
  const made = await owner.call('POST', '/api/v1/sandboxes/define?json=1', { files })
  await wasAsked
  const { sandbox_id: id } = made.body as { sandbox_id: string }

  const read = await owner.call('GET', `/api/v1/sandboxes/${id}`)
  const { modules } = sandboxSchema.parse((read.body as { data: unknown }).data)
  const change = (title: string, code: string) => {
    const { shortid } = modules.find((module) => module.title === title)!
    return owner.call('PUT', `/api/v1/sandboxes/${id}/modules/${shortid}`, { code })
  }
  await change('main.ts', "import left from 'left-part'\nimport right from 'right-part'\nleft(right)")
  const wasAskedLater = once(asked, 'right-part')
  await change('package.json', manifest('left-part', 'right-part', 'not-imported'))
  await wasAskedLater
  expect(names).not.toContain('not-imported')
})
