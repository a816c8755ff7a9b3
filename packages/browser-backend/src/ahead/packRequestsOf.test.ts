import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { loadOxc } from '../compile/oxc.ts'
import type { Oxc } from '../compile/oxc.ts'
import { packRequestsOf } from './packRequestsOf.ts'

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
  (await packRequestsOf(files, Promise.resolve(oxc))).map(({ specifiers }) => specifiers)

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
