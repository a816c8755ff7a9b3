import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { loadOxc } from '../compile/oxc.ts'
import type { Oxc } from '../compile/oxc.ts'
import type { ToRunner } from '../common/messages.ts'
import { Engine } from '../compile/engine.ts'
import { lookAhead } from './lookAhead.ts'

let oxc: Oxc
beforeAll(async () => {
  oxc = await loadOxc(readFileSync(fileURLToPath(import.meta.resolve('oxc-transform/wasm'))))
})

const root = fileURLToPath(new URL('../../../../templates/', import.meta.url))
function template(name: string): Map<string, string> {
  const folder = join(root, name)
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  return new Map(paths.map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]))
}
const asked = async (files: ReadonlyMap<string, string>) =>
  (await lookAhead(files, Promise.resolve(oxc))).questions.map(({ specifiers }) => specifiers)

// What pages of these templates ask for, as they were seen to.
it.each([
  ['react-vite-ts', [['react', 'react-dom/client', 'react/jsx-dev-runtime']]],
  ['preact', [['preact', 'preact/hooks', 'preact/jsx-dev-runtime']]],
  ['vanilla-vite-ts', []],
  ['lit', [['lit']]],
  ['solid', [['solid-js', 'solid-js/web', 'solid-refresh']]],
  ['vue', [['vue/compiler-sfc'], ['vue']]],
  ['svelte', [['svelte/compiler'], ['svelte', 'svelte/internal/client', 'svelte/internal/disclose-version']]],
] as const)('BB959: of the template %s it is what its page asks for', async (name, specifiers) => {
  expect(await asked(template(name))).toEqual(specifiers)
})

it('BB987: what its server and its editor will ask for is known too', async () => {
  const look = (files: ReadonlyMap<string, string>) => lookAhead(files, Promise.resolve(oxc))
  expect(await look(template('node-express'))).toMatchObject({
    sources: { express: expect.any(String) },
    types: { express: expect.any(String) },
  })
  const page = await look(template('react-vite-ts'))
  expect([page.sources, Object.keys(page.types ?? {})]).toEqual([null, expect.arrayContaining(['react', 'vite'])])
  expect(await look(template('static'))).toMatchObject({ sources: null, types: null })
  const server = new Map([['/package.json', '{"scripts":{"start":"PORT=1 node a.js"},"devDependencies":{"koa":"3"}}']])
  expect((await look(server)).sources).toEqual({ koa: '3' })
  expect((await look(new Map([...server, ['/index.html', '']]))).sources).toBeNull()
  expect(await look(new Map([['/package.json', '{"dependencies":']]))).toMatchObject({ sources: null, types: null })
})

it('BB959: a project that does not compile asks for nothing', async () => {
  const files = template('react-vite-ts')
  files.set('/src/App.tsx', 'export const App = (')
  expect(await asked(files)).toEqual([])
})

it('BB959: nothing of the project is run', async () => {
  const files = template('vanilla-vite-ts')
  files.set('/src/main.ts', "import { html } from 'lit'\nglobalThis.wasRun = html")
  files.set('/package.json', JSON.stringify({ dependencies: { lit: '3' } }))
  expect(await asked(files)).toEqual([['lit']])
  expect(globalThis).not.toHaveProperty('wasRun')
})

it('BB961: a page is compiled ahead, as what compiles in browsers would take it over', async () => {
  const files = template('react-vite-ts')
  const { ahead } = await lookAhead(files, Promise.resolve(oxc))
  expect(ahead?.page.entries).toEqual(['/src/main.tsx'])
  expect(ahead?.page.html).toContain('id="root"')
  let ran: readonly string[] = []
  const engine = new Engine({
    oxc: () => Promise.reject(new Error('nothing is compiled again')),
    // The fake packer of what looks ahead names no pack.
    pack: async () => ({ id: '', imports: {} }),
    foreign: { compile: () => Promise.reject(new Error('nothing is compiled again')) },
    store: { read: async () => ahead?.compilation, write: async () => undefined },
    onStatus: () => undefined,
  })
  engine.fill(files)
  const post = (message: ToRunner) => void (ran = message.type === 'run' ? message.modules.map(({ id }) => id) : [])
  await engine.start({ post }, '/', null)
  expect(ran).toContain('/src/App.tsx')
  expect(ran).toEqual(ahead?.compilation.modules.map(({ module }) => module.id))
})

it.each([
  [
    'packages of the project compile a part of it',
    (files: Map<string, string | Uint8Array>) => template('vue').forEach((text, path) => files.set(path, text)),
  ],
  [
    'a file is no text',
    (files: Map<string, string | Uint8Array>) => void files.set('/public/a.png', Uint8Array.of(1, 2)),
  ],
  [
    'it does not compile',
    (files: Map<string, string | Uint8Array>) => void files.set('/src/App.tsx', 'export const App = ('),
  ],
  [
    'it is too large',
    (files: Map<string, string | Uint8Array>) => void files.set('/public/a.txt', 'x'.repeat(5 * 1024 * 1024)),
  ],
])('BB961: nothing is compiled ahead where %s', async (_where, change) => {
  const files = new Map<string, string | Uint8Array>(template('react-vite-ts'))
  change(files)
  expect((await lookAhead(files, Promise.resolve(oxc))).ahead).toBeNull()
})
