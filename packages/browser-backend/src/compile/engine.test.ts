import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ForeignFile, RunnerModule, ToRunner } from '../common/messages.ts'
import { ModuleGraph } from '../runner/moduleGraph.ts'
import type { Namespace } from '../runner/moduleGraph.ts'
import type { Compilation, CompilationStore } from './compilation.ts'
import { Engine } from './engine.ts'
import type { EngineStatus } from './engine.ts'
import type { ForeignCompilers } from './compileModule.ts'
import { loadOxc } from './oxc.ts'
import type { Oxc } from './oxc.ts'

let oxc: Oxc
beforeAll(async () => {
  oxc = await loadOxc(readFileSync(fileURLToPath(import.meta.resolve('oxc-transform/wasm'))))
})

/** A project, its engine, and a page that runs what the engine sends. */
async function open(
  files: Record<string, string>,
  options: { module?: string; foreign?: ForeignCompilers; store?: CompilationStore; pack?: string } = {},
) {
  let compiles = 0
  const statuses: EngineStatus[] = []
  const requests: { specifiers: readonly string[] }[] = []
  const engine = new Engine({
    oxc: async () => {
      compiles += 1
      return oxc
    },
    store: options.store ?? null,
    pack: async (request) => {
      requests.push(request)
      const part = { file: 'e0.js', css: null, interop: 'esm' as const, chunks: [] }
      return {
        id: options.pack ?? 'pack',
        imports: Object.fromEntries(request.specifiers.map((specifier) => [specifier, part])),
      }
    },
    foreign: options.foreign ?? { compile: () => Promise.reject(new Error('no page is open')) },
    onStatus: (status) => statuses.push(status),
  })
  engine.fill(Object.entries(files))
  const sent: ToRunner[] = []
  const port = { post: (message: ToRunner) => sent.push(message) }
  await engine.start(port, '/', options.module ?? null)
  return {
    engine,
    port,
    sent,
    statuses,
    requests,
    compiles: () => compiles,
    change: (changes: Record<string, string | null>) => engine.change(new Map(Object.entries(changes))),
    problem: () => statuses.findLast((status) => status.kind === 'problem')?.problem,
  }
}

/** Runs modules as the page does, with `react` and others that are given by name. */
function graphOf(packed: Record<string, Namespace> = {}) {
  const styles = new Map<string, string | null>()
  const errors: unknown[] = []
  let reloads = 0
  const graph = new ModuleGraph({
    base: 'http://abc-8080.preview.test/',
    loadPacked: async (specifier) => packed[specifier] ?? {},
    setStyle: (id, css) => styles.set(id, css),
    env: { MODE: 'development', DEV: true },
    refresh: {
      of: () => ({ register: () => undefined, signature: () => () => undefined }),
      isBoundary: () => false,
      perform: () => undefined,
    },
    reload: () => (reloads += 1),
    report: (error) => errors.push(error),
  })
  return { graph, styles, errors, reloads: () => reloads }
}

async function run(files: Record<string, string>, packed: Record<string, Namespace> = {}) {
  const opened = await open(files)
  const message = opened.sent[0]
  if (message?.type !== 'run') throw new Error(JSON.stringify(opened.problem()))
  const page = graphOf(packed)
  page.graph.add(message.modules)
  let exports: Namespace = {}
  for (const entry of message.entries) exports = await page.graph.run(entry)
  return { ...opened, ...page, message, exports }
}
const page = '<div id="root"></div><script type="module" src="/main.ts"></script>'

describe('compiling', () => {
  it('BB20: runs TypeScript with its types gone, live bindings, defaults, namespaces and top-level await', async () => {
    const { exports } = await run({
      'index.html': '',
      '/index.html': page,
      '/main.ts': `import type { Gone } from './gone'
        import fallback, { count, increase, type Also } from './counter'
        import * as all from './counter.js'
        increase()
        const waited: Also = await Promise.resolve(3)
        export const result = [fallback, count, all.count, waited] as const`,
      '/counter.ts':
        'export type Also = number; export let count = 0; export const increase = () => { count += 1 }; export default "d"',
    })
    expect(exports['result']).toEqual(['d', 1, 1, 3])
  })

  it('BB21: follows paths of tsconfig.json, folders, and names without their ending', async () => {
    const { exports } = await run({
      '/index.html': page,
      '/tsconfig.json':
        '{ // as people write it\n "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], }, } }',
      '/main.ts': "import { a } from '@/a'\nimport { b } from './lib'\nexport const result = a + b",
      '/src/a.ts': 'export const a = 1',
      '/lib/index.ts': 'export const b = 2',
    })
    expect(exports['result']).toBe(3)
  })

  it('BB22: gives JSON, text, addresses, styles and environment their form', async () => {
    const { exports, styles } = await run({
      '/index.html': page,
      '/.env': 'VITE_NAME="Ada"\nSECRET=hush',
      '/main.ts': `import data, { name } from './data.json'
        import text from './note.txt?raw'
        import picture from './picture.svg'
        import classes, { title } from './look.module.css'
        import './base.css'
        import inline from './base.css?inline'
        export const result = { name, data, text, picture, classes, title, inline, env: import.meta.env.VITE_NAME, secret: import.meta.env.SECRET, dev: import.meta.env.DEV }`,
      '/data.json': '{"name":"x","default":1}',
      '/note.txt': 'hello',
      '/picture.svg': '<svg/>',
      '/look.module.css': '.title { color: red } .small { composes: title; }',
      '/base.css': '@import "./reset.css"; body { background: url(./picture.svg) }',
      '/reset.css': '* { margin: 0 }',
    })
    const { result } = exports as { result: Record<string, unknown> }
    expect(result).toMatchObject({
      name: 'x',
      data: { name: 'x' },
      text: 'hello',
      picture: 'data:image/svg+xml;charset=utf-8,%3Csvg%2F%3E',
      dev: true,
    })
    const { title, small } = result['classes'] as { title: string; small: string }
    expect([result['title'], small.split(' ')]).toEqual([title, [small.split(' ')[0], title]])
    expect(styles.get('/look.module.css')).toContain(`.${title} { color: red }`)
    expect([...styles.keys()].indexOf('/reset.css')).toBeLessThan([...styles.keys()].indexOf('/base.css'))
    expect(styles.get('/base.css')).toContain('url("data:image/svg+xml')
    expect(result['inline']).toContain('background')
  })

  it('BB22: gives only those of the environment to the page that are meant for it', async () => {
    const { message } = await run({ '/index.html': page, '/main.ts': '', '/.env': 'VITE_NAME="Ada"\nSECRET=hush' })
    expect(message.env).toMatchObject({ VITE_NAME: 'Ada', MODE: 'development' })
    expect(JSON.stringify([message.env, [...message.assets]])).not.toContain('hush')
  })

  it('BB23: writes out import.meta.glob, lazily and at once', async () => {
    const { exports } = await run({
      '/index.html': page,
      '/main.ts': `const lazy = import.meta.glob('./pages/*.ts')
        const eager = import.meta.glob('./pages/**/*.ts', { eager: true, import: 'name' })
        export const result = { lazy: Object.keys(lazy), loaded: await lazy['./pages/a.ts'](), eager }`,
      '/pages/a.ts': 'export const name = "a"',
      '/pages/deep/b.ts': 'export const name = "b"',
    })
    expect(exports['result']).toMatchObject({
      lazy: ['./pages/a.ts'],
      loaded: { name: 'a' },
      eager: { './pages/a.ts': 'a', './pages/deep/b.ts': 'b' },
    })
  })

  it('BB24: circles of imports end, and give what is there already', async () => {
    const { exports } = await run({
      '/index.html': page,
      '/main.ts': "import { a } from './a'\nexport const result = a()",
      '/a.ts': "import { b } from './b'\nexport const a = () => b() + 1",
      '/b.ts': "import { a } from './a'\nexport const b = () => (typeof a === 'function' ? 1 : 0)",
    })
    expect(exports['result']).toBe(2)
  })

  it('BB25: says what is wrong, where, before anything runs', async () => {
    const broken = await open({ '/index.html': page, '/main.ts': 'const ok = 1\nconst = 2' })
    expect(broken.problem()).toMatchObject({ file: '/main.ts', line: 2 })
    const missing = await open({ '/index.html': page, '/main.ts': "\nimport './gone'" })
    expect(missing.problem()).toMatchObject({ file: '/main.ts', line: 2, message: expect.stringContaining('"./gone"') })
    const undeclared = await open({ '/index.html': page, '/package.json': '{}', '/main.ts': "import 'left-pad'" })
    expect(undeclared.problem()?.message).toContain('"left-pad" is imported but not among the dependencies')
    const unknown = await open({ '/index.html': page, '/main.ts': "import './style.less'", '/style.less': '' })
    expect(unknown.problem()?.message).toContain('Convert the sandbox to a devbox')
    expect([broken, missing, undeclared, unknown].flatMap(({ sent }) => sent.map(({ type }) => type))).toEqual(
      Array(4).fill('problem'),
    )
  })

  it('BB972: gives names of vite.config their meaning in scripts, and follows its changes', async () => {
    const files = {
      '/index.html': page,
      '/main.ts': 'export const result = [__VERSION__, import.meta.env.APP]',
      '/vite.config.ts': "export default { define: { __VERSION__: JSON.stringify('1.0') } }",
    }
    const { exports, change, sent } = await run(files)
    expect(exports['result']).toEqual(['1.0', undefined])
    await change({ '/vite.config.ts': "export default { define: { __VERSION__: JSON.stringify('2.0') } }" })
    expect(sent.at(-1)).toEqual({ type: 'reload' })
  })

  it('BB970: starts again when settings change that others extend', async () => {
    const { exports, change, sent } = await run({
      '/index.html': page,
      '/tsconfig.json': '{ "extends": "./config/base.json" }',
      '/config/base.json': '{ "compilerOptions": { "paths": { "@/*": ["../src/*"] } } }',
      '/main.ts': "export { result } from '@/a'",
      '/src/a.ts': 'export const result = 1',
    })
    expect(exports['result']).toBe(1)
    await change({ '/config/base.json': '{}' })
    expect(sent.at(-1)).toEqual({ type: 'reload' })
  })

  it('BB972: gives the page its plain files from the folder that they are in', async () => {
    const { message } = await run({
      '/index.html': page,
      '/main.ts': '',
      '/vite.config.js': "export default { publicDir: './static' }",
      '/static/logo.svg': '<svg/>',
    })
    expect(message.assets.get('/public/logo.svg')).toBe('<svg/>')
    expect(message.assets.has('/vite.config.js')).toBe(false)
  })

  it('BB975: gives the address of a picture beside a module its content, and follows its changes', async () => {
    const { exports, change, sent } = await run({
      '/index.html': page,
      '/main.ts': "export const result = new URL('./a.svg', import.meta.url).href",
      '/a.svg': '<svg/>',
    })
    expect(exports['result']).toBe('data:image/svg+xml;charset=utf-8,%3Csvg%2F%3E')
    await change({ '/a.svg': '<svg>2</svg>' })
    expect(sent.at(-1)).toMatchObject({ type: 'update', modules: [{ id: '/a.svg?url' }] })
  })

  it('BB973: says once what of the settings is not followed, and runs the page', async () => {
    const { statuses, message, engine } = await run({
      '/index.html': page,
      '/main.ts': '',
      '/vite.config.ts': "import svgr from 'vite-plugin-svgr'\nexport default { plugins: [svgr()] }",
    })
    expect(message.type).toBe('run')
    await engine.start({ post: () => undefined }, '/', null)
    await engine.change(new Map([['/package.json', '{}']]))
    expect(statuses.filter(({ kind }) => kind === 'notice')).toEqual([
      { kind: 'notice', text: expect.stringContaining('"vite-plugin-svgr" needs a devbox') },
    ])
  })

  it('BB26: asks for exactly the packages that are imported, once', async () => {
    const { requests, change } = await open({
      '/index.html': page,
      '/package.json': '{"dependencies":{"react":"^19.0.0","unused":"1.0.0"}}',
      '/main.tsx': '',
      '/main.ts': "import './view'",
      '/view.tsx': "import { useState } from 'react'\nexport const View = () => <p>{useState}</p>",
    })
    expect(requests).toMatchObject([{ specifiers: ['react', 'react/jsx-dev-runtime'] }])
    await change({ '/view.tsx': "import { useState } from 'react'\nexport const View = () => <b>{useState}</b>" })
    expect(requests).toHaveLength(1)
  })

  it('BB890: gives the JSX of Solid to its own compiler, without types, and leads back to the file', async () => {
    const asked: ForeignFile[] = []
    const foreign: ForeignCompilers = {
      compile: async (file) => {
        asked.push(file)
        return { script: file.text.replace('<p>{x}</p>', 'x'), css: '', ...(file.map ? { map: file.map } : {}) }
      },
    }
    const { sent, problem } = await open(
      {
        '/index.html': page.replace('main.ts', 'main.tsx'),
        '/package.json': '{"dependencies":{"solid-js":"^1.9.0"}}',
        '/main.tsx': "import './plain.ts'\nlet x: number = 1 // größer, 大, 𝒙\nexport const y = <p>{x}</p>",
        '/plain.ts': 'export const z: number = 2',
      },
      { foreign },
    )
    expect(problem()).toBeUndefined()
    expect(asked).toMatchObject([{ kind: 'solid', path: '/main.tsx', text: expect.stringContaining('<p>{x}</p>') }])
    expect(asked[0]!.text).not.toContain('number')
    const run = sent[0]
    const code = run?.type === 'run' ? run.modules.find(({ id }) => id === '/main.tsx')!.code : ''
    const map = JSON.parse(atob(/base64,(\S+)/.exec(code)![1]!)) as { sourcesContent: string[] }
    expect(map.sourcesContent[0]).toContain('let x: number = 1 // größer, 大, 𝒙')
  })

  it('BB893: finds the scripts of workers, with what they import', async () => {
    const { message, requests } = await run({
      '/index.html': page,
      '/package.json': '{"dependencies":{"ms":"2.0.0"}}',
      '/src/work.ts': "import ms from 'ms'\nimport { twice } from './twice'\nself.onmessage = () => twice(ms)",
      '/src/twice.ts': 'export const twice = (x: unknown) => x',
      '/src/other.js': '',
      '/main.ts': `import Other from './src/other.js?worker'
        import address from './src/other.js?worker&url'
        // new Worker(new URL('./gone.ts', import.meta.url))
        export const start = () => [new Worker(new URL('./src/work.ts', import.meta.url), { type: 'module' }), Other]
        export const result = address`,
    })
    expect(requests).toMatchObject([{ specifiers: ['ms'] }])
    const ids = message.modules.map(({ id }) => id).toSorted()
    expect(ids).toEqual([
      '/main.ts',
      '/src/other.js',
      '/src/other.js?worker',
      '/src/other.js?worker&url',
      '/src/twice.ts',
      '/src/work.ts',
    ])
    const main = message.modules.find(({ id }) => id === '/main.ts')
    expect(main?.workers).toEqual({ '/src/work.ts': '/src/work.ts' })
  })

  it('BB893: runs what a worker needs, and nothing else of the page', async () => {
    const { graph, exports } = await run({
      '/index.html': page,
      '/src/work.ts': "import './twice'\nnew Worker(new URL('./inner.js', import.meta.url))",
      '/src/twice.ts': '',
      '/src/inner.js': '',
      '/main.ts': `import address from './src/work.ts?worker&url'
        export const result = address`,
    })
    expect(exports['result']).toBe('http://abc-8080.preview.test/src/work.ts')
    expect(graph.workerAt('/src/work.ts')).toBe('/src/work.ts')
    const ids = graph.modulesFrom('/src/work.ts').map(({ id }) => id)
    expect(ids.toSorted()).toEqual(['/src/inner.js', '/src/twice.ts', '/src/work.ts'])
  })

  it('BB894: says that the script of a worker is not there, and that there are no shared workers', async () => {
    const missing = await open({
      '/index.html': page,
      '/main.ts': "\nnew Worker(new URL('./gone.ts', import.meta.url))",
    })
    expect(missing.problem()).toMatchObject({
      file: '/main.ts',
      line: 2,
      message: expect.stringContaining('"./gone.ts"'),
    })
    const shared = await open({ '/index.html': page, '/main.ts': "import './a.js?sharedworker'", '/a.js': '' })
    expect(shared.problem()?.message).toContain('Shared workers')
  })

  it('BB984: components tell of themselves to who refreshes them, wherever their JSX comes from', async () => {
    const tells = async (source: string) => {
      const { sent } = await open({
        '/index.html': '<script type="module" src="/App.tsx"></script>',
        '/package.json': JSON.stringify({ dependencies: { [source]: '1.0.0' } }),
        '/tsconfig.json': JSON.stringify({ compilerOptions: { jsxImportSource: source } }),
        '/App.tsx': 'export function App() { return <p /> }',
      })
      const { modules } = sent[0] as Extract<ToRunner, { type: 'run' }>
      return modules[0]!.code.includes('$RefreshReg$(')
    }
    for (const source of ['react', '@emotion/react', 'preact']) expect(await tells(source), source).toBe(true)
  })

  it('BB27: finds the main script where no page names one, and runs one file alone when asked to', async () => {
    const made = await open({ '/src/index.tsx': 'export {}' })
    expect(made.sent[0]).toMatchObject({ type: 'run', entries: ['/src/index.tsx'] })
    const alone = await open(
      { '/index.html': page, '/main.ts': 'export {}', '/part.ts': 'export {}' },
      { module: 'part.ts' },
    )
    expect(alone.sent[0]).toMatchObject({ type: 'run', entries: ['/part.ts'] })
  })

  it('BB27: one file alone has the page around it without scripts of the project, wherever the page lies', async () => {
    const html = '<script src="https://lib.test/a.js"></script><script src="/old.js"></script><div id="root"></div>'
    const { sent } = await open({ '/public/index.html': html, '/src/Part.tsx': '' }, { module: 'src/Part.tsx' })
    expect(sent).toMatchObject([{ type: 'run', entries: ['/src/Part.tsx'] }])
    expect(sent[0]).toHaveProperty('html', '<script src="https://lib.test/a.js"></script><div id="root"></div>')
    const other = await open(
      {
        '/index.html': page,
        '/main.ts': '',
        '/other.html': '<script type="module" src="/b.ts"></script>',
        '/b.ts': '',
      },
      { module: 'other.html' },
    )
    expect(other.sent).toMatchObject([{ type: 'run', entries: ['/b.ts'] }])
  })

  it('BB1038: a file that is to run alone is missed until it is made', async () => {
    const { sent, change, problem } = await open({ '/index.html': page, '/main.ts': '' }, { module: 'src/Late.tsx' })
    expect(problem()?.message).toBe('/src/Late.tsx is not there')
    await change({ '/other.ts': '' })
    expect(sent.map(({ type }) => type)).toEqual(['problem', 'problem'])
    await change({ '/src/Late.tsx': 'export {}' })
    expect(sent.at(-1)).toMatchObject({ type: 'run', entries: ['/src/Late.tsx'] })
  })

  it('BB1038: pages start again for another file, and for their own scripts', async () => {
    const { engine, sent, port } = await open({ '/index.html': page, '/main.ts': '', '/part.ts': '' })
    await engine.run('part.ts')
    expect(sent.at(-1)).toEqual({ type: 'reload' })
    // Of a page that has not begun nothing has to go.
    await engine.run('part.ts')
    expect(sent.at(-1)).toMatchObject({ type: 'run', entries: ['/part.ts'] })
    await engine.run(null)
    await engine.start(port, '/', null)
    expect(sent.at(-1)).toMatchObject({ type: 'run', entries: ['/main.ts'] })
  })
})

describe('changing', () => {
  const modulesOf = (message: ToRunner | undefined): readonly RunnerModule[] =>
    message?.type === 'update' ? message.modules : []

  it('BB30: sends what changed alone, and the module that accepts it runs again with what it kept', async () => {
    const { graph, sent, change, reloads, errors } = await run({
      '/index.html': page,
      '/main.ts': "import './counter'",
      '/counter.ts': `import { step } from './step'
        globalThis.bb30 = { runs: (import.meta.hot.data.runs ?? 0) + 1, step }
        import.meta.hot.dispose((data) => { data.runs = globalThis.bb30.runs })
        import.meta.hot.accept()`,
      '/step.ts': 'export const step = 1',
    })
    await change({ '/step.ts': 'export const step = 5' })
    const modules = modulesOf(sent.at(-1))
    expect(modules.map(({ id }) => id)).toEqual(['/step.ts'])
    await graph.update(modules)
    expect([(globalThis as Record<string, unknown>)['bb30'], reloads(), errors]).toEqual([{ runs: 2, step: 5 }, 0, []])
  })

  it('BB31: hands a new version to whoever accepts it by name', async () => {
    const { graph, sent, change, reloads } = await run({
      '/index.html': page,
      '/main.ts': `import { value } from './value'
        globalThis.bb31 = [value]
        import.meta.hot.accept('./value', (next) => globalThis.bb31.push(next.value))`,
      '/value.ts': 'export const value = 1',
    })
    await change({ '/value.ts': 'export const value = 2' })
    await graph.update(modulesOf(sent.at(-1)))
    expect([(globalThis as Record<string, unknown>)['bb31'], reloads()]).toEqual([[1, 2], 0])
  })

  it('BB32: starts again when nobody accepts a change, when files come or go, and when the settings change', async () => {
    const { graph, sent, change, reloads } = await run({
      '/index.html': page,
      '/main.ts': 'export const x = 1',
      '/package.json': '{}',
    })
    await change({ '/main.ts': 'export const x = 2' })
    await graph.update(modulesOf(sent.at(-1)))
    expect(reloads()).toBe(1)
    const kinds: Record<string, string | null>[] = [
      { '/new.ts': '' },
      { '/new.ts': null },
      { '/package.json': '{"dependencies":{}}' },
    ]
    for (const changes of kinds) {
      const again = await run({
        '/index.html': page,
        '/main.ts': 'export {}',
        '/package.json': '{}',
        ...('/new.ts' in changes && changes['/new.ts'] === null ? { '/new.ts': '' } : {}),
      })
      await again.change(changes)
      expect(again.sent.at(-1)).toEqual({ type: 'reload' })
    }
  })

  it('BB622: a style sheet follows the files that it is made of, and nothing else is compiled again', async () => {
    const compiled: string[] = []
    const foreign: ForeignCompilers = {
      compile: async ({ kind, path, text, files }) => {
        compiled.push(`${kind} ${path}`)
        return { script: '', css: text + (files.get('/_part.scss') ?? ''), includes: ['/_part.scss'] }
      },
    }
    const { sent, change } = await open(
      {
        '/index.html': page,
        '/main.ts': "import './a.scss'\nimport './b.module.scss'",
        '/a.scss': 'a{}',
        '/b.module.scss': '.b{}',
        '/_part.scss': 'p{}',
        '/_other.scss': '',
      },
      { foreign },
    )
    expect(compiled.toSorted()).toEqual(['sass /a.scss', 'sass /b.module.scss'])
    await change({ '/_part.scss': 'q{}' })
    const update = sent.at(-1)
    if (update?.type !== 'update') throw new Error(`It sent ${update?.type}`)
    expect(update.modules.map(({ id }) => id).toSorted()).toEqual(['/a.scss', '/b.module.scss'])
    expect(update.modules.every(({ code }) => code.includes('q{}'))).toBe(true)
    await change({ '/_other.scss': 'x{}' })
    expect([sent.length, compiled.length]).toEqual([2, 4])
  })

  it('BB891: styles of Tailwind CSS follow the classes of all files, and are sent when they change', async () => {
    const asked: ForeignFile[] = []
    const foreign: ForeignCompilers = {
      compile: async (file) => {
        asked.push(file)
        return { script: '', css: file.classes.filter((name) => /^(?:flex|grid)$/.test(name)).join() }
      },
    }
    const { sent, change } = await open(
      {
        '/index.html': page,
        '/package.json': '{"dependencies":{"tailwindcss":"^4.0.0"}}',
        '/main.ts': "import './style.css'\nexport const name = 'flex'",
        '/style.css': '@import "tailwindcss";',
        '/notes.md': '',
      },
      { foreign },
    )
    expect(asked[0]).toMatchObject({ kind: 'tailwind', packages: ['tailwindcss/index.css'] })
    const sheet = (message: ToRunner | undefined) =>
      message && 'modules' in message ? message.modules.find(({ id }) => id === '/style.css')?.code : undefined
    expect(sheet(sent[0])).toContain('"flex"')
    await change({ '/main.ts': "import './style.css'\nexport const name = 'flex grid'" })
    expect(
      modulesOf(sent.at(-1))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['/main.ts', '/style.css'])
    expect(sheet(sent.at(-1))).toContain('"flex,grid"')
    await change({ '/main.ts': "import './style.css'\nexport const name = 'flex grid' + 1" })
    expect(modulesOf(sent.at(-1)).map(({ id }) => id)).toEqual(['/main.ts'])
    const before = sent.length
    await change({ '/notes.md': 'nothing new' })
    expect(sent).toHaveLength(before)
  })

  it('BB1106: plug-ins of PostCSS change every sheet of the project, in components and Sass too', async () => {
    const foreign: ForeignCompilers = {
      compile: async ({ kind, path, text, plugins }) => {
        if (kind === 'sass') return { script: '', css: 'sass{}' }
        if (kind === 'vue') return { script: 'export default {}', css: 'vue{}' }
        return { script: '', css: `${text} /* ${plugins.map(({ name }) => name).join()} of ${path} */` }
      },
    }
    const files = {
      '/index.html': page,
      '/package.json': '{"dependencies":{"vue":"3","sass":"1","postcss-a":"1","@b/c":"1"}}',
      '/postcss.config.js': "module.exports = { plugins: { 'postcss-a': {}, '@b/c/d': {} } }",
      '/main.ts':
        "import './a.css'\nimport './b.module.css'\nimport './c.scss'\nimport App from './App.vue'\nexport { App }",
      '/a.css': 'a{}',
      '/b.module.css': '.b{}',
      '/c.scss': '',
      '/App.vue': '',
    }
    const { sent, change, problem } = await open(files, { foreign })
    const [run] = sent
    const codes = run?.type === 'run' ? run.modules.map(({ code }) => code) : []
    for (const [sheet, path] of [
      ['a{}', '/a.css'],
      ['sass{}', '/c.scss'],
      ['vue{}', '/App.vue'],
    ])
      expect(codes.some((code) => code.includes(`${sheet} /* postcss-a,@b/c/d of ${path} */`))).toBe(true)
    expect(codes.some((code) => /\.b_\w+\{\} \/\* postcss-a/.test(code))).toBe(true)
    await change({ '/package.json': '{"dependencies":{"vue":"3","sass":"1","postcss-a":"1"}}' })
    expect(sent.at(-1)?.type).toBe('reload')
    expect(problem()).toBeUndefined()
  })

  it('BB1107: a plug-in of PostCSS that is not among the dependencies is told with the file that names it', async () => {
    const { problem } = await open({
      '/index.html': page,
      '/postcss.config.js': "module.exports = { plugins: { 'postcss-a': {} } }",
      '/main.ts': "import './a.css'",
      '/a.css': '',
    })
    expect(problem()).toMatchObject({ file: '/postcss.config.js', message: expect.stringContaining('"postcss-a"') })
  })

  it('BB951: leaves a page alone when it is given all files as they are, and starts it again when one is gone', async () => {
    const html = '<script type="module">import "./main.ts"</script><script type="module" src="/main.ts"></script>'
    const files = { '/index.html': html, '/main.ts': "import icon from './icon.png'\nexport { icon }", '/old.ts': '' }
    const { engine, sent } = await open(files)
    const icon = () => new Uint8Array([1, 2])
    await engine.change(new Map([['/icon.png', icon()]]))
    const before = sent.length
    await engine.replace(new Map<string, string | Uint8Array>([...Object.entries(files), ['/icon.png', icon()]]))
    expect(sent).toHaveLength(before)
    const { '/old.ts': _, ...left } = files
    await engine.replace(new Map<string, string | Uint8Array>([...Object.entries(left), ['/icon.png', icon()]]))
    expect(sent.length).toBeGreaterThan(before)
  })

  it('BB1132: the largest script is compiled again for nothing, without a word, unless it has changed', async () => {
    const files = {
      '/index.html': page,
      '/main.ts': "import './b.ts'",
      '/b.ts': 'export const b: number = 1',
      '/c.md': 'x',
    }
    const { engine, sent, statuses, compiles, change } = await open(files)
    const before = [sent.length, statuses.length, compiles()] as const
    expect(await engine.rehearse()).toBe(true)
    expect([sent.length, statuses.length, compiles()]).toEqual([before[0], before[1], before[2] + 1])
    const changing = change({ '/b.ts': 'export const b: number = 2' })
    expect(await engine.rehearse()).toBe(false)
    await changing
    expect(compiles()).toBe(before[2] + 2)
    await change({ '/b.ts': 'export const b: = 2', '/main.ts': 'wrong(' })
    expect(await engine.rehearse()).toBe(false)
  })

  it('BB33: keeps running while a file is broken, and takes in the correction', async () => {
    const { graph, sent, change, styles } = await run({
      '/index.html': page,
      '/main.ts': "import './base.css'",
      '/base.css': 'a {}',
    })
    await change({ '/main.ts': 'const = 1' })
    expect(sent.at(-1)).toMatchObject({ type: 'problem' })
    await change({ '/main.ts': "import './base.css'" })
    await change({ '/base.css': 'b {}' })
    await graph.update(modulesOf(sent.at(-1)))
    expect(styles.get('/base.css')).toBe('b {}')
  })
})

describe('the next visit', () => {
  /** A browser, which keeps what it is given as text. */
  function memoryStore(): CompilationStore & { kept: string | undefined } {
    return {
      kept: undefined,
      async read() {
        return this.kept === undefined ? undefined : (JSON.parse(this.kept) as unknown)
      },
      async write(compilation: Compilation) {
        this.kept = JSON.stringify(compilation)
      },
    }
  }
  const files = {
    '/index.html': '<script type="module">import "./main.tsx"</script>',
    '/package.json': '{"dependencies":{"react":"1"}}',
    '/main.tsx':
      "import './look.css'\nimport { text } from './text.ts'\nimport { useState } from 'react'\nexport { text, useState }",
    '/text.ts': "export const text: string = 'one'",
    '/look.css': 'b { background: url(./picture.svg) }',
    '/picture.svg': '<svg/>',
  }
  const runOf = (sent: readonly ToRunner[]) => sent.find((message) => message.type === 'run')
  async function visited(given: Record<string, string> = files) {
    const store = memoryStore()
    const { engine, sent } = await open(given, { store })
    await engine.keep()
    return { store, before: runOf(sent), engine }
  }

  it('BB960: what is made of the same is not compiled again', async () => {
    const { store, before } = await visited()
    const next = await open(files, { store })
    expect(next.compiles()).toBe(0)
    expect(runOf(next.sent)).toEqual(before)
    expect(next.requests).toHaveLength(1)
  })

  it.each([
    ['a file that is another', { '/text.ts': "export const text = 'two'" }, 1],
    ['what is made of another file', { '/picture.svg': '<svg id="other"/>' }, 1],
    ['everything when there are other files', { '/other.ts': '' }, 4],
    ['everything when the settings are others', { '/package.json': '{"dependencies":{"react":"2"}}' }, 4],
  ])('BB960: compiles %s', async (_what, changes, compiles) => {
    const { store } = await visited()
    const next = await open({ ...files, ...changes }, { store })
    expect(next.compiles()).toBe(compiles)
    expect(runOf(next.sent)).toEqual(runOf((await open({ ...files, ...changes })).sent))
  })

  it('BB960: compiles everything for other packages, whose compilers may be others too', async () => {
    const { store, before } = await visited()
    const next = await open(files, { store, pack: 'other' })
    expect(next.compiles()).toBe(4)
    expect(runOf(next.sent)).toMatchObject({ ...before, pack: { id: 'other' } })
  })

  it('BB960: takes nothing of what is not understood', async () => {
    const { store } = await visited()
    store.kept = store.kept!.replace('"imports"', '"needs"')
    expect((await open(files, { store })).compiles()).toBe(4)
  })

  it('BB960: keeps what was changed meanwhile, and nothing while there is work', async () => {
    const { store, engine } = await visited()
    const first = store.kept
    await engine.keep()
    expect(store.kept).toBe(first)
    const work = engine.change(new Map([['/text.ts', "export const text = 'two'"]]))
    await engine.keep()
    expect(store.kept).toBe(first)
    await work
    await engine.keep()
    const next = await open({ ...files, '/text.ts': "export const text = 'two'" }, { store })
    expect(next.compiles()).toBe(0)
  })
})

it('BB965: pages that have gone away are sent nothing of an edit', async () => {
  const { engine, sent, change } = await open({
    '/index.html': '<script type="module" src="/main.ts"></script>',
    '/main.ts': 'export const told = 1\nimport.meta.hot?.accept()',
  })
  const gone: ToRunner[] = []
  for (let visit = 0; visit < 20; visit += 1) {
    const page = { post: (message: ToRunner) => gone.push(message) }
    await engine.start(page, '/', null)
    engine.stop(page)
  }
  gone.length = 0
  sent.length = 0
  await change({ '/main.ts': 'export const told = 2\nimport.meta.hot?.accept()' })
  expect([gone, sent.map(({ type }) => type)]).toEqual([[], ['update']])
})
