// Builds the scripts that run on the origin of a preview. What runs in the editor is built along with the web app.
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))

/** Packages for browsers bring a `process` of their own, whose ticks are timers: programs would end before them. They get that of the program. */
const ownProcess = {
  name: 'own-process',
  setup(build) {
    build.onResolve({ filter: /^process\/$/ }, () => ({ path: 'process', namespace: 'own-process' }))
    build.onLoad({ filter: /.*/, namespace: 'own-process' }, () => ({
      contents: 'module.exports = globalThis.process',
    }))
  },
}

/** Assertions show values as Node does, not as the package for browsers did years ago. */
const ownInspect = {
  name: 'own-inspect',
  setup(build) {
    build.onResolve({ filter: /^util\/$/ }, ({ importer }) =>
      /[\\/]assert[\\/]build[\\/]/.test(importer) ? { path: 'util', namespace: 'own-inspect' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'own-inspect' }, () => ({
      contents: "module.exports = { ...require('util/util.js'), inspect: require('node-inspect-extracted').inspect }",
      resolveDir: here,
    }))
  },
}

/** Streams have the decoder that programs have, as in Node. */
const ownDecoder = {
  name: 'own-decoder',
  setup(build) {
    build.onResolve({ filter: /^string_decoder\/?$/ }, () => ({
      path: join(here, 'src/process/modules/stringDecoder.ts'),
    }))
  },
}

export async function buildPreviewScripts(outdir = join(here, 'dist')) {
  await mkdir(outdir, { recursive: true })
  const common = {
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    minify: true,
    logLevel: 'warning',
    legalComments: 'none',
    // React's refresh runtime does nothing in production.
    define: { 'process.env.NODE_ENV': '"development"' },
  }
  const source = (name) => join(here, 'src', name)
  const script = (entry, name, format, more = {}) =>
    build({ ...common, entryPoints: [source(entry)], outfile: join(outdir, name), format, ...more })
  await script('runner/main.ts', 'runner.js', 'iife')
  await script('agent/main.ts', 'agent.js', 'iife')
  await script('runner/compilers.ts', 'compilers.js', 'esm')
  await script('runner/keepWorker.ts', 'keep.js', 'iife')
  await script('runner/worker.ts', 'worker.js', 'esm')
  await script('runner/compileSolid.ts', 'solid.js', 'esm', {
    alias: { assert: fileURLToPath(import.meta.resolve('assert/build/assert.js')), path: 'path-browserify' },
    inject: [source('runner/noProcess.ts')],
  })
  await script('engineWorker.ts', 'engine.js', 'esm')
  // For the server, which runs it in a process of its own.
  await script('../ahead.mjs', 'ahead.js', 'esm', { platform: 'node' })
  await script('processes/main.ts', 'processes.js', 'iife')
  await script('gate/main.ts', 'gate.js', 'iife')
  await script('gate/sockets.ts', 'sockets.js', 'iife')
  await script('gate/serve.ts', 'serve.js', 'iife')
  await script('shell/main.ts', 'shell.js', 'esm')
  await script('process/main.ts', 'process.js', 'esm', {
    // What programs see of them is their names.
    keepNames: true,
    alias: { stream: fileURLToPath(import.meta.resolve('readable-stream/lib/ours/browser.js')) },
    // Modules of Node look at the real one.
    define: {},
    plugins: [ownProcess, ownDecoder, ownInspect],
  })
  await copyFile(fileURLToPath(import.meta.resolve('oxc-transform/wasm')), join(outdir, 'oxc.wasm'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPreviewScripts()
