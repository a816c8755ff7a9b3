// Bundles and compiles the dev server so that dist/, or the folder given as argument, alone runs with plain node: `node dist/main.js`.
import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { rehearse } from './rehearse.mjs'

const here = dirname(fileURLToPath(import.meta.url))
/** Packages with native parts, which a bundle can't hold. */
const native = ['@lydell/node-pty']

export async function buildDevServer(output = join(here, 'dist')) {
  await rm(output, { recursive: true, force: true })
  await mkdir(output, { recursive: true })
  await build({
    entryPoints: [join(here, 'src/run.ts')],
    outfile: join(output, 'dev-server.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    charset: 'ascii',
    external: native,
    // The UMD build of jsonc-parser requires its parts in a way that a bundle can't follow.
    mainFields: ['module', 'main'],
    define: {
      // ws looks for these optional accelerators and does without them.
      'process.env.WS_NO_BUFFER_UTIL': '"1"',
      'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
      'import.meta.url': '__url',
    },
    banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
    sourcemap: 'linked',
    logLevel: 'warning',
  })
  await build({
    entryPoints: [join(here, 'src/install/main.ts')],
    outfile: join(output, 'install.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minify: true,
    logLevel: 'warning',
  })
  await mkdir(join(output, 'bin'))
  await cp(join(here, 'src/install/npm.sh'), join(output, 'bin/npm'))
  await chmod(join(output, 'bin/npm'), 0o755)
  await cp(join(here, 'launch.cjs'), join(output, 'main.js'))
  await buildLanguageServers(join(output, 'language-servers'))
  await writeFile(join(output, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`)
  const copied = new Set()
  for (const name of native) await copyPackage(name, createRequire(join(here, 'package.json')), output, copied)
  await rehearse(join(output, 'main.js'))
}

/**
 * Puts the language servers into a folder, each as one file where that is possible. What is read as files, or is a program of this machine,
 * is in `node_modules` of this folder.
 */
export async function buildLanguageServers(output) {
  const own = createRequire(join(here, 'package.json'))
  const extracted = own.resolve('vscode-langservers-extracted/package.json')
  const bundle = (entryPoint, outfile) =>
    build({
      entryPoints: [entryPoint],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      external: ['typescript'],
      mainFields: ['module', 'main'],
      minify: true,
      legalComments: 'none',
      logLevel: 'warning',
    })
  for (const id of ['css', 'html', 'json']) {
    const main = join(dirname(extracted), `lib/${id}-language-server/node/${id}ServerMain.js`)
    await bundle(main, join(output, 'servers', id, 'dist/server.cjs'))
  }
  // The one for HTML compiles scripts of pages, with a TypeScript that can be read by other programs.
  const typescript = dirname(createRequire(extracted).resolve('typescript/package.json'))
  await cp(typescript, join(output, 'node_modules/typescript'), {
    recursive: true,
    filter: (path) => {
      const inside = path.slice(typescript.length + 1)
      return /^(|package\.json|LICENSE\.txt|ThirdPartyNoticeText\.txt|lib|lib\/typescript\.js|lib\/lib\..*d\.ts)$/.test(
        inside,
      )
    },
  })
  const newest = createRequire(own.resolve('typescript/package.json'))
  const program = `@typescript/typescript-${process.platform}-${process.arch}`
  await cp(dirname(newest.resolve(`${program}/package.json`)), join(output, 'node_modules', program), {
    recursive: true,
  })
  const relay = dirname(own.resolve('typescript-language-server/package.json'))
  await cp(relay, join(output, 'node_modules/typescript-language-server'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  })
}

/** Copies an installed package and what it depends on, its binaries for this platform included. */
async function copyPackage(name, require, output, copied) {
  if (copied.has(name)) return
  const manifestPath = findManifest(name, require)
  if (!manifestPath) return
  copied.add(name)
  const folder = dirname(manifestPath)
  await cp(folder, join(output, 'node_modules', name), {
    recursive: true,
    dereference: true,
    filter: (path) =>
      !/\/(src|test|docs|scripts|prebuilds)$|\.(d\.ts|map|flow|md|gyp)$/.test(path.slice(folder.length)),
  })
  const own = createRequire(manifestPath)
  const manifest = own(manifestPath)
  const needed = { ...manifest.dependencies, ...manifest.optionalDependencies }
  for (const dependency of Object.keys(needed)) await copyPackage(dependency, own, output, copied)
}

function findManifest(name, require) {
  for (const folder of require.resolve.paths(name) ?? []) {
    const path = join(folder, name, 'package.json')
    try {
      require(path)
      return path
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return undefined
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildDevServer(process.argv[2])
}
