// Builds the scripts that run on the origin of a preview. What runs in the editor is built along with the web app.
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))

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
  await build({
    ...common,
    entryPoints: [source('runner/main.ts')],
    outfile: join(outdir, 'runner.js'),
    format: 'iife',
  })
  await build({
    ...common,
    entryPoints: [source('agent/main.ts')],
    outfile: join(outdir, 'agent.js'),
    format: 'iife',
  })
  await build({
    ...common,
    entryPoints: [source('runner/compilers.ts')],
    outfile: join(outdir, 'compilers.js'),
    format: 'esm',
  })
  await build({
    ...common,
    entryPoints: [source('runner/worker.ts')],
    outfile: join(outdir, 'worker.js'),
    format: 'esm',
  })
  await build({
    ...common,
    entryPoints: [source('runner/compileSolid.ts')],
    outfile: join(outdir, 'solid.js'),
    format: 'esm',
    alias: { assert: fileURLToPath(import.meta.resolve('assert/build/assert.js')), path: 'path-browserify' },
    inject: [source('runner/noProcess.ts')],
  })
  await build({
    ...common,
    entryPoints: [source('engineWorker.ts')],
    outfile: join(outdir, 'engine.js'),
    format: 'esm',
  })
  await build({
    ...common,
    entryPoints: [source('processes/main.ts'), source('gate/main.ts')],
    outdir,
    outbase: join(here, 'src'),
    entryNames: '[dir]',
    format: 'iife',
  })
  await build({
    ...common,
    entryPoints: [source('gate/sockets.ts')],
    outfile: join(outdir, 'sockets.js'),
    format: 'iife',
  })
  await build({ ...common, entryPoints: [source('gate/serve.ts')], outfile: join(outdir, 'serve.js'), format: 'iife' })
  await build({ ...common, entryPoints: [source('shell/main.ts')], outfile: join(outdir, 'shell.js'), format: 'esm' })
  await build({
    ...common,
    entryPoints: [source('process/main.ts')],
    outfile: join(outdir, 'process.js'),
    format: 'esm',
    // What programs see of them is their names.
    keepNames: true,
    alias: { stream: fileURLToPath(import.meta.resolve('readable-stream/lib/ours/browser.js')) },
    // Modules of Node look at the real one.
    define: {},
  })
  await copyFile(fileURLToPath(import.meta.resolve('oxc-transform/wasm')), join(outdir, 'oxc.wasm'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPreviewScripts()
