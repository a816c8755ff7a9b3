import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compile } from '@mdx-js/mdx'
import { beforeAll, expect, it } from 'vitest'
import type { CompiledForeignFile } from '../common/messages.ts'
import { ClassNames } from '../compile/classNames.ts'
import { compileModule } from '../compile/compileModule.ts'
import { loadOxc } from '../compile/oxc.ts'
import type { Oxc } from '../compile/oxc.ts'
import { readProjectSettings } from '../compile/projectSettings.ts'
import { compileMdx } from './compileMdx.ts'
import type { MdxCompiler } from './compileMdx.ts'
import { compileSvelte } from './compileSvelte.ts'
import { compileVue } from './compileVue.ts'
import { problemOfError } from './describe.ts'
import { ModuleGraph } from './moduleGraph.ts'

const ORIGIN = 'https://abc-8080.preview.test'
let oxc: Oxc
beforeAll(async () => {
  oxc = await loadOxc(readFileSync(fileURLToPath(import.meta.resolve('oxc-transform/wasm'))))
})

/** Compiles a file, runs it, and tells what it throws as the page does. */
async function problemIn(
  id: string,
  text: string,
  made: CompiledForeignFile | null = null,
  begin: (exports: Record<string, unknown>) => unknown = () => undefined,
) {
  const files = new Map<string, string | Uint8Array>([[id, text]])
  const settings = readProjectSettings(files)
  const foreign = { compile: async () => made ?? Promise.reject(new Error('nothing else compiles this')) }
  const { code, imports } = await compileModule(id, {
    oxc: async () => oxc,
    files,
    settings,
    foreign,
    classNames: new ClassNames(),
  })
  const graph = new ModuleGraph({
    base: `${ORIGIN}/`,
    loadPacked: async () => ({ jsx: () => null, jsxs: () => null, Fragment: null }),
    setStyle: () => undefined,
    env: {},
    refresh: {
      of: () => ({ register: () => undefined, signature: () => (type: unknown) => type }),
      isBoundary: () => false,
      perform: () => undefined,
    },
    reload: () => undefined,
    report: () => undefined,
  })
  graph.add([{ id, code, imports: Object.fromEntries(imports.map((name) => [name, { packed: name }])), workers: {} }])
  try {
    await begin(await graph.run(id))
  } catch (error) {
    return problemOfError(error, ORIGIN)
  }
  throw new Error('nothing was thrown')
}

it('BB976: what goes wrong in TypeScript is told where it stands in the file', async () => {
  const text = `interface Gone {
  a: string
}

export function App({ a }: Gone) {
  if (a) throw new TypeError('broken')
  return <p>{a}</p>
}`
  const problem = await problemIn('/src/App.tsx', text, null, ({ App }) =>
    (App as (given: object) => unknown)({ a: 'x' }),
  )
  expect(problem).toMatchObject({ message: 'TypeError: broken', file: '/src/App.tsx', line: 6, column: 16 })
})

it('BB976: and in a component of Svelte, by the map of its compiler', async () => {
  const script = "\n\n\nthrow new Error('broken')"
  // The fourth line of what is made is the second one of the component.
  const map = { version: 3, names: [], sources: ['App.svelte'], mappings: ';;;AACA' }
  const compiler = { compile: () => ({ js: { code: script, map }, css: null }) }
  const text = "<script>\nthrow new Error('broken')\n</script>"
  const problem = await problemIn('/src/App.svelte', text, compileSvelte(compiler, '/src/App.svelte', text))
  expect(problem).toMatchObject({ file: '/src/App.svelte', line: 2 })
})

it.each([
  ['script', 4, "const __component = {}\nthrow new Error('broken')", 'export function render() {}'],
  ['template', 8, 'const __component = {}\nconst more = 1', "export function render(\n) {}\nthrow new Error('broken')"],
])('BB976: and in the %s of a component of Vue', async (_, line, script, template) => {
  const name = '/src/App.vue'
  const map = (mappings: string) => ({ version: 3, names: [], sources: [name], mappings })
  const block = { content: 'x', map: map('') }
  const compiler = {
    parse: () => ({
      descriptor: { script: null, scriptSetup: block, template: block, styles: [], slotted: false },
      errors: [],
    }),
    // Their second and third lines are the fourth and the eighth one of the component.
    compileScript: () => ({ content: script, map: map('AACA;AAEA') }),
    compileTemplate: () => ({ code: template, errors: [], map: map(';;AAOA') }),
    compileStyle: () => ({ code: '', errors: [] }),
  }
  const text = Array(10).fill('line').join('\n')
  const problem = await problemIn(name, text, compileVue(compiler, name, text))
  expect(problem).toMatchObject({ file: name, line })
})

it('BB976: and in MDX', async () => {
  const text = "# Hello\n\nexport const x = 1\n\n{(() => { throw new Error('broken') })()}\n"
  const made = await compileMdx({ compile } as unknown as MdxCompiler, '/a.mdx', text, 'react')
  const problem = await problemIn('/a.mdx', text, made, (exports) =>
    (exports['default'] as (given: object) => unknown)({}),
  )
  expect(problem).toMatchObject({ file: '/a.mdx', line: 5 })
})

it('BB976: what goes wrong in a package names no file', () => {
  const error = new Error('broken')
  error.stack = `Error: broken\n    at x (${ORIGIN}/__boxyard/packs/a/e0.js:1:2)`
  expect(problemOfError(error, ORIGIN)).toMatchObject({ file: null, line: null })
})
