import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadOxc } from '../../compile/oxc.ts'
import { ProcessFiles } from '../processFiles.ts'
import { ModuleLoader } from './moduleLoader.ts'

const said: unknown[] = []
;(globalThis as { say?: (...given: unknown[]) => void }).say = (...given) => said.push(...given)

async function run(main: string, files: Readonly<Record<string, string>>): Promise<unknown[]> {
  said.length = 0
  const all = new ProcessFiles(() => undefined)
  all.fill(Object.entries(files).map(([path, text]) => [`/nodebox/${path}`, text] as const))
  const loader: ModuleLoader = new ModuleLoader({
    files: all,
    builtins: {
      module: () => loader.Module,
      path: () => ({ sep: '/', join: (...parts: string[]) => parts.join('/') }),
    },
    loadOxc: async () => loadOxc(await readFile(fileURLToPath(import.meta.resolve('oxc-transform/wasm')))),
  })
  await loader.runMain(`/nodebox/${main}`)
  return [...said]
}

describe('modules of a process', () => {
  it('BB836: CommonJS finds files, folders, packages, JSON and what Node brings, each once', async () => {
    const seen = await run('a.js', {
      'a.js': `#!/usr/bin/env node
        const b = require('./lib'); const { join } = require('node:path')
        say(b.name, require('./lib/index.js') === b, require('pkg'), require('./data').x, join('a', 'b'), __filename, require.main === module)`,
      'lib/index.js': 'exports.name = "lib"; exports.back = require("../a")',
      'data.json': '{"x":1}',
      'node_modules/pkg/package.json': '{"main":"./dist/main"}',
      'node_modules/pkg/dist/main.js': 'module.exports = require("inner")',
      'node_modules/pkg/node_modules/inner/index.js': 'module.exports = "nested"',
    })
    expect(seen).toEqual(['lib', true, 'nested', 1, 'a/b', '/nodebox/a.js', true])
  })

  it('BB836: conditions of packages tell the kinds apart, and what is not exported is refused', async () => {
    const seen = await run('a.mjs', {
      'a.mjs': `import { createRequire } from 'node:module'
        import kind from 'pkg'
        import { own } from '#own'
        const require = createRequire(import.meta.url)
        say(kind, require('pkg'), own)
        try { require('pkg/secret') } catch (error) { say(error.code) }
        await import('./none.mjs').catch((error) => say(error.code))`,
      'package.json': '{"imports":{"#own":"./own.mjs"}}',
      'own.mjs': 'export const own = import.meta.dirname',
      'node_modules/pkg/package.json': '{"exports":{"import":"./m.mjs","require":"./c.cjs"}}',
      'node_modules/pkg/m.mjs': 'export default "module"',
      'node_modules/pkg/c.cjs': 'module.exports = "commonjs"',
      'node_modules/pkg/secret.js': '',
    }).catch((error: unknown) => [String(error)])
    expect(seen).toEqual(['module', 'commonjs', '/nodebox', 'ERR_PACKAGE_PATH_NOT_EXPORTED', 'ERR_MODULE_NOT_FOUND'])
  })

  it('BB836: modules have live bindings, circles and top-level await, and take CommonJS by name', async () => {
    const seen = await run('main.js', {
      'package.json': '{"type":"module"}',
      'main.js': `import { count, up } from './b.js'; import old, { name } from './old.cjs'
        up(); say(count, name, old.name, await Promise.resolve(3))`,
      'b.js': `import { later } from './c.js'; export let count = 0; export const up = () => { count += 1; later() }`,
      'c.js': `import { count } from './b.js'; export const later = () => say('in a circle', count)`,
      'old.cjs': 'exports.name = "old"',
    })
    expect(seen).toEqual(['in a circle', 1, 1, 'old', 'old', 3])
  })

  it('BB836: the text tells what the package does not say, CommonJS imports, and types are taken away', async () => {
    const seen = await run('main.ts', {
      'main.ts': `import { a } from './plain.js'; interface A { b: string }; const x: A = { b: a }; say(x.b)`,
      'plain.js': `export const a = 'found out'`,
    })
    expect(seen).toEqual(['found out'])
    expect(
      await run('main.cjs', {
        'main.cjs': `import('./m.mjs').then((m) => say(m.x))`,
        'm.mjs': 'export const x = 7',
      }).then(async () => {
        while (said.length === 0) await new Promise((resolve) => setImmediate(resolve))
        return [...said]
      }),
    ).toEqual([7])
  })

  it('BB836: mistakes are told with their file', async () => {
    await expect(run('a.cjs', { 'a.cjs': 'require("./none")' })).rejects.toMatchObject({
      code: 'MODULE_NOT_FOUND',
      message: "Cannot find module './none'\nRequire stack:\n- /nodebox/a.cjs",
    })
    await expect(run('a.mjs', { 'a.mjs': 'import x from "nobody"' })).rejects.toMatchObject({
      message: "Cannot find package 'nobody' imported from /nodebox/a.mjs",
    })
  })
})
