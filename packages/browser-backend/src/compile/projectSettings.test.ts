import { describe, expect, it } from 'vitest'
import { readProjectSettings } from './projectSettings.ts'
import { resolveImport } from './resolveImport.ts'
import { SettingsScript } from './settingsScript.ts'

function open(files: Record<string, string>) {
  const all = new Map<string, string | Uint8Array>(Object.entries(files))
  const settings = readProjectSettings(all)
  return { settings, means: (specifier: string) => resolveImport(specifier, '/src/main.ts', all, settings.aliases) }
}
const file = (id: string) => ({ kind: 'file', id })
const vite = (config: string, name = 'vite.config.ts') => ({ [`/${name}`]: config })

describe('settings of TypeScript', () => {
  it('BB970: follow what they extend, from where that stands', () => {
    const { means, settings } = open({
      '/tsconfig.json': '{ "extends": ["./config/base", "@tsconfig/svelte"] }',
      '/config/base.json': '{ "extends": "../tsconfig.json", "compilerOptions": { "paths": { "@/*": ["../src/*"] } } }',
      '/src/a.ts': '',
    })
    expect(means('@/a')).toEqual(file('/src/a.ts'))
    expect(settings.sources).toEqual(['/tsconfig.json', '/config/base.json'])
  })

  it('BB970: follow what they refer to', () => {
    const { means, settings } = open({
      '/tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./gone" }] }',
      '/tsconfig.app.json': '{ "compilerOptions": { "jsxImportSource": "preact", "paths": { "~/*": ["./src/*"] } } }',
      '/src/a.ts': '',
    })
    expect(means('~/a')).toEqual(file('/src/a.ts'))
    expect(settings.jsxImportSource).toBe('preact')
  })

  it('BB970: a base alone gives names to files, and never takes a package away', () => {
    const { means } = open({
      '/package.json': '{ "dependencies": { "three": "1.0.0" } }',
      '/tsconfig.json': '{ "compilerOptions": { "baseUrl": "./src" } }',
      '/src/parts/a.ts': '',
      '/src/three.ts': '',
    })
    expect([means('parts/a'), means('three')]).toEqual([
      file('/src/parts/a.ts'),
      { kind: 'package', specifier: 'three' },
    ])
  })
})

it('BB971: imports of package.json mean what they mean to a page', () => {
  const { means } = open({
    '/package.json': JSON.stringify({
      imports: {
        '#lib/*': './lib/*.ts',
        '#place': { node: './node.ts', browser: './page.ts', default: './other.ts' },
        '#parts': { import: 'preact/compat' },
        '#none': { node: './node.ts' },
      },
    }),
    '/lib/a.ts': '',
    '/page.ts': '',
    '/node.ts': '',
  })
  expect(['#lib/a', '#place', '#parts', '#none', '#unknown'].map(means)).toEqual([
    file('/lib/a.ts'),
    file('/page.ts'),
    { kind: 'package', specifier: 'preact/compat' },
    undefined,
    undefined,
  ])
})

describe('settings of Vite', () => {
  it.each([
    ['path.resolve', "{ '@': path.resolve(__dirname, './src') }"],
    ['an address', "{ '@': fileURLToPath(new URL('./src', import.meta.url)) }"],
    ['the path of an address', "{ '@': new URL('./src/', import.meta.url).pathname }"],
    ['a text', "{ '@': '/src', }"],
    ['a constant', "{ '@': src } as Record<string, string>"],
    ['a list', "[{ find: '@', replacement: resolve(process.cwd(), 'src') }]"],
    ['a name with a slash', "[{ find: '@/', replacement: join(here, 'src/') }]"],
    ['a pattern of how it begins', "[{ find: /^@\\//, replacement: '/src/' }]"],
  ])('BB972: read an alias that is %s', (_, alias) => {
    const { means, settings } = open({
      ...vite(`import { defineConfig } from 'vite'
        const src = path.join(__dirname, 'src')
        const here = dirname(fileURLToPath(import.meta.url))
        // https://vite.dev
        export default defineConfig(({ mode }) => ({ server: { port: 3000 }, resolve: { alias: ${alias} } }))`),
      '/src/a.ts': '',
    })
    expect(settings.notices).toEqual([])
    expect(means('@/a')).toEqual(file('/src/a.ts'))
    expect(means('@/gone')).toBeUndefined()
    expect(means('@other/a')).toEqual({ kind: 'package', specifier: '@other/a' })
  })

  it('BB972: an alias may be another package', () => {
    const { means } = open(vite("export default { resolve: { alias: { react: 'preact/compat' } } }"))
    expect(means('react')).toEqual({ kind: 'package', specifier: 'preact/compat' })
  })

  it('BB972: read what names stand for, prefixes of the environment and the folder of plain files', () => {
    const { settings, means } = open({
      ...vite(
        `module.exports = { base: '/app/', define: { __VERSION__: JSON.stringify('1.0'), 'process.env': {}, __ON__: true, __RAW__: '1 + 1' },
        envPrefix: ['APP_', 'PUBLIC_'], publicDir: 'static' }`,
        'vite.config.js',
      ),
      '/.env': 'APP_NAME=Ada\nVITE_NAME=no\nSECRET=hush',
      '/static/a.svg': '',
    })
    expect(settings.define).toEqual({ __VERSION__: '"1.0"', 'process.env': '{}', __ON__: 'true', __RAW__: '1 + 1' })
    expect(settings.env).toMatchObject({ APP_NAME: 'Ada' })
    expect(JSON.stringify(settings.env)).not.toMatch(/VITE_NAME|hush/)
    expect(means('/a.svg')).toEqual(file('/static/a.svg'))
    expect(settings.notices).toEqual([])
  })

  it('BB972: an empty prefix gives nothing of the environment away', () => {
    const { settings } = open({ ...vite("export default { envPrefix: '' }"), '/.env': 'SECRET=hush' })
    expect(JSON.stringify(settings.env)).not.toContain('hush')
    expect(settings.notices).toEqual([expect.stringContaining('envPrefix')])
  })

  it('BB973: plug-ins that do not run here are named; those whose work is done here are not', () => {
    const { settings } = open(
      vite(`import { defineConfig } from 'vite'
        import react from '@vitejs/plugin-react'
        import tailwindcss from '@tailwindcss/vite'
        import svgr from 'vite-plugin-svgr'
        export default defineConfig({ plugins: [react(), tailwindcss(), svgr({ icon: true })] })`),
    )
    expect(settings.notices).toEqual([expect.stringContaining('"vite-plugin-svgr" needs a devbox')])
  })

  it.each([
    ['everything', 'export default make()(1, 2)', 'what it exports'],
    ['an alias', 'export default { resolve: { alias: { a: find("b") } } }', 'the alias "a"'],
    ['aliases', 'export default { resolve: { alias: aliases() } }', '"resolve.alias"'],
    ['a name', 'export default { define: { A: process.env.A } }', '"define" of A'],
    ['a part', 'export default { ...base, define: {} }', 'a part'],
    ['the root', "export default { root: './web' }", '"root"'],
    ['broken text', 'export default { resolve: { alias: { [', ''],
  ])('BB973: what would have to be run is said: %s', (_, config, said) => {
    const { settings } = open(vite(config))
    expect(settings.notices.join('\n')).toContain(said)
  })
})

it('BB973: a script of settings is read, never run', () => {
  const script = new SettingsScript('globalThis.wasRun = true; export default ((() => { throw new Error("run") })())')
  expect(script.exported).toEqual({ kind: 'unknown' })
  expect('wasRun' in globalThis).toBe(false)
})
