import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { repository } from '../node-core/coreTable.ts'
import { runInNode } from '../node-core/runInNode.ts'
import { runInThreads } from '../node-core/runInThreads.ts'
import { projectOfServers } from './projectOfExamples.ts'
import type { Asked } from './asks.ts'

// A few servers of our own, asked in a sandbox and in Node. The examples of frameworks are not brought along; runExamples.ts asks those.

const folder = join(import.meta.dirname, 'servers')
const scripts = mkdtempSync(join(tmpdir(), 'servers-scripts-'))

const json = { 'content-type': 'application/json' }
const asked: Asked[] = [
  {
    name: 'site',
    file: 'servers/site.cjs',
    port: 47_090,
    steps: [
      { path: '/' },
      { method: 'HEAD', path: '/' },
      { path: '/visits' },
      { method: 'POST', path: '/name', body: 'name=Ada+L%C3%B8v' },
      { path: '/visits' },
      { path: '/visits?again' },
      { path: '/parts' },
      { path: '/own' },
      { path: '/packed' },
      { method: 'PUT', path: '/json', headers: json, body: '{"numbers":[1,2,39]}' },
      { method: 'PUT', path: '/json', headers: json, body: '{' },
      { method: 'POST', path: '/length', body: '' },
      { method: 'POST', path: '/length', body: 'żółw' },
      { path: '/asks' },
      { path: '/broken' },
      { path: '/missing' },
    ],
  },
  {
    name: 'talk',
    file: 'servers/talk.cjs',
    port: 47_091,
    steps: [
      { path: '/' },
      { ws: '/echo', says: ['one', 'żółw', 'x'.repeat(70_000)], hears: 3 },
      { ws: '/echo', hears: 0 },
      { ws: '/room', says: ['hello'], hears: 2 },
      { ws: '/nowhere', hears: 0 },
    ],
  },
]
const files = projectOfServers(
  asked,
  Object.fromEntries(readdirSync(folder).map((name) => [`servers/${name}`, readFileSync(join(folder, name), 'utf8')])),
  { names: ['ws'], modules: join(repository, 'node_modules') },
)

beforeAll(async () => {
  const builder = new URL('../../packages/browser-backend/build.mjs', import.meta.url).href
  const { buildPreviewScripts } = (await import(builder)) as { buildPreviewScripts(folder: string): Promise<void> }
  await buildPreviewScripts(scripts)
})
afterAll(() => rmSync(scripts, { recursive: true }))

it('BB1160: servers of a project answer in a sandbox as in Node', async () => {
  const real = await runInNode(files)
  expect(Object.keys(real)).toHaveLength(asked.flatMap(({ steps }) => steps).length)
  expect(real['site 6: GET /visits?again']).toMatch(/200 OK[^]*Ada Løv: 2$/)
  expect(real['talk 4: WS /room']).toBe('open\ntext # here\ntext HELLO\nclosed 1005 ')
  expect(await runInThreads(files, scripts)).toEqual(real)
})
