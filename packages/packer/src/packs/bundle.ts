import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire, builtinModules } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { PackerError } from '../errors.ts'

/** Bundling real projects takes seconds; what takes longer or more is meant to do harm. */
const MAX_MS = 120_000
const MAX_BYTES = 1536 * 1024 * 1024
const MAX_SAID = 64 * 1024
const LOOK_MS = 200

const metafileSchema = z.object({
  inputs: z.record(z.string(), z.object({ format: z.string().optional() })),
  outputs: z.record(
    z.string(),
    z.object({
      entryPoint: z.string().optional(),
      cssBundle: z.string().optional(),
      imports: z.array(z.object({ path: z.string(), kind: z.string() })),
    }),
  ),
})

export interface BundledEntry {
  specifier: string
  /** Name of the file in the output folder; null for a style sheet alone. */
  file: string | null
  css: string | null
  /** CommonJS modules come out with nothing but a default export, which is their `module.exports`. */
  interop: 'esm' | 'cjs'
  /** Files that are loaded along with it. */
  chunks: string[]
}

/**
 * Bundles packages that stand in `folder/node_modules` for browsers, all specifiers at once so that they share one copy of everything,
 * into `folder/out`. esbuild only parses, and runs as a process of its own that is ended when it takes too long or too much.
 */
export async function bundle(folder: string, specifiers: readonly string[]): Promise<BundledEntry[]> {
  // What only exists in Node is an empty module, as other bundlers for browsers have it.
  const empty = join(folder, 'empty.cjs')
  await writeFile(empty, 'module.exports = {}\n')
  const missing = new Set<string>()
  for (;;) {
    const said = await runEsbuild(folder, [
      ...specifiers.map((specifier, index) => `e${index}=${specifier}`),
      ...[...missing].map((name, index) => `--alias:${name}=${join(folder, `missing${index}.cjs`)}`),
      ...builtinModules
        .filter((name) => !name.startsWith('_') && !name.includes('/'))
        .flatMap((name) => [`--alias:${name}=${empty}`, `--alias:node:${name}=${empty}`]),
    ])
    if (said === null) break
    // A package that a dependency asks for although nobody brings it, such as a peer that is not needed: fails when it is used.
    const absent = [...said.matchAll(/Could not resolve "([^"]+)"/g)].map((match) => packageOf(match[1]!))
    const fresh = absent.filter((name): name is string => name !== undefined && !missing.has(name))
    if (fresh.length === 0 || specifiers.some((specifier) => fresh.includes(specifier))) {
      throw new PackerError('BUNDLE_FAILED', complaints(said))
    }
    for (const name of fresh) {
      await writeFile(
        join(folder, `missing${missing.size}.cjs`),
        `throw new Error(${JSON.stringify(`The package "${name}" is needed by a dependency and not installed. Add it to package.json.`)})\n`,
      )
      missing.add(name)
    }
  }
  return readEntries(await readFile(join(folder, 'meta.json'), 'utf8'), specifiers)
}

function packageOf(specifier: string): string | undefined {
  return /^(?:@[\w.-]+\/)?[\w][\w.-]*/.exec(specifier)?.[0]
}

/**
 * The complaints about packages, without lines of code: what is said about any other file of this machine, and what stands in it, is no
 * business of whoever asked.
 */
function complaints(said: string): string {
  const told = said.split('✘ [ERROR] ').flatMap((part) => {
    const place = /^ {4}(node_modules\/[^\n]+):\d+:\d+:$/m.exec(part)?.[1]
    return place === undefined ? [] : [`${part.split('\n', 1)[0]} (${place})`]
  })
  return told.length === 0 ? 'the bundler refused them' : told.join('\n').slice(0, 2000)
}

/** What esbuild has to complain about; null when it is content. */
async function runEsbuild(folder: string, given: readonly string[]): Promise<string | null> {
  const child = spawn(
    esbuildProgram(),
    [
      '--bundle',
      '--splitting',
      '--format=esm',
      '--platform=browser',
      '--target=es2022',
      '--preserve-symlinks',
      '--outdir=out',
      '--metafile=meta.json',
      '--entry-names=[name]',
      '--chunk-names=c-[hash]',
      '--asset-names=a-[hash]',
      '--conditions=module,development',
      '--define:process.env.NODE_ENV="development"',
      '--define:global=globalThis',
      // Vue asks its bundler for these.
      '--define:__VUE_OPTIONS_API__=true',
      '--define:__VUE_PROD_DEVTOOLS__=false',
      '--define:__VUE_PROD_HYDRATION_MISMATCH_DETAILS__=false',
      '--legal-comments=none',
      // Settings in the folders above are about something else.
      '--tsconfig-raw={}',
      '--log-level=error',
      '--log-limit=50',
      '--color=false',
      ...['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'woff', 'woff2', 'ttf', 'eot', 'wasm'].map(
        (kind) => `--loader:.${kind}=dataurl`,
      ),
      ...given,
    ],
    // Nothing of the server's environment is any business of a package.
    { cwd: folder, env: { GOMEMLIMIT: '1GiB', GOMAXPROCS: '2' }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < MAX_SAID) said += chunk.toString()
  })
  let broken: string | undefined
  const end = (why: string) => {
    broken = why
    child.kill('SIGKILL')
  }
  const deadline = setTimeout(() => end('it took too long'), MAX_MS)
  const watch = setInterval(() => {
    void residentBytes(child.pid).then((bytes) => bytes > MAX_BYTES && end('it took too much memory'))
  }, LOOK_MS)
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).finally(() => {
    clearTimeout(deadline)
    clearInterval(watch)
  })
  if (broken !== undefined) throw new PackerError('BUNDLE_FAILED', broken)
  if (status === 0) return null
  if (said === '') throw new PackerError('BUNDLE_FAILED', 'the bundler ended by itself')
  return said
}

/** Memory of a process; 0 where the system does not tell. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '0 0')
  return Number(text.split(' ')[1]) * 4096
}

/** The native program, without the JavaScript around it: it is run once and has no service to keep alive. */
function esbuildProgram(): string {
  const require = createRequire(import.meta.url)
  const inside = createRequire(require.resolve('esbuild'))
  return inside.resolve(`@esbuild/${process.platform}-${process.arch}/bin/esbuild`)
}

/** Whether an input is a file of a package, or one that stands in for what is missing. */
function isOwn(path: string): boolean {
  const plain = path.replace(/^\(disabled\):/, '')
  if (plain.split('/').includes('..')) return false
  return plain.startsWith('node_modules/') || /^(?:empty|missing\d+)\.cjs$/.test(plain) || plain.startsWith('<')
}

function readEntries(metafile: string, specifiers: readonly string[]): BundledEntry[] {
  const { inputs, outputs } = metafileSchema.parse(JSON.parse(metafile))
  const foreign = Object.keys(inputs).find((path) => !isOwn(path))
  if (foreign !== undefined)
    throw new PackerError('BUNDLE_FAILED', 'a package imports a file that is not part of a package')
  const plain = (path: string) => path.replace(/^out\//, '')
  const chunksOf = (path: string, seen = new Set<string>()): Set<string> => {
    for (const imported of outputs[path]?.imports ?? []) {
      if (imported.kind !== 'import-statement' || seen.has(imported.path)) continue
      seen.add(imported.path)
      chunksOf(imported.path, seen)
    }
    return seen
  }
  return specifiers.map((specifier, index) => {
    const path = `out/e${index}.js`
    const script = outputs[path]
    const css = script ? script.cssBundle : outputs[`out/e${index}.css`] && `out/e${index}.css`
    const format = script?.entryPoint === undefined ? undefined : inputs[script.entryPoint]?.format
    return {
      specifier,
      file: script ? plain(path) : null,
      css: css === undefined ? null : plain(css),
      interop: format === 'cjs' ? 'cjs' : 'esm',
      chunks: [...chunksOf(path)].map(plain),
    }
  })
}
