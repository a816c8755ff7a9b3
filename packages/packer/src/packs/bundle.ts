import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire, builtinModules } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { PackerError } from '../errors.ts'

export interface BundleLimits {
  /** For all rounds together. */
  ms: number
  /** Of memory. */
  bytes: number
  /** How often it is begun anew with what was found to be missing. */
  rounds: number
}

/** Bundling real projects takes seconds and two rounds; what takes longer or more is meant to do harm. */
const LIMITS: Readonly<BundleLimits> = { ms: 120_000, bytes: 1536 * 1024 * 1024, rounds: 8 }
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
export async function bundle(
  folder: string,
  specifiers: readonly string[],
  limits: Readonly<BundleLimits> = LIMITS,
  program: string = esbuildProgram(),
): Promise<BundledEntry[]> {
  const ends = performance.now() + limits.ms
  // What only exists in Node is an empty module, as other bundlers for browsers have it.
  const empty = join(folder, 'empty.cjs')
  await writeFile(empty, 'module.exports = {}\n')
  const missing = new Set<string>()
  for (let round = 1; ; round += 1) {
    const said = await runEsbuild({ program, folder, ends, limits }, [
      ...specifiers.map((specifier, index) => `e${index}=${specifier}`),
      ...[...missing].map((name, index) => `--alias:${name}=${join(folder, `missing${index}.cjs`)}`),
      ...builtinModules
        .filter((name) => !name.startsWith('_') && !name.includes('/'))
        .flatMap((name) => [`--alias:${name}=${empty}`, `--alias:node:${name}=${empty}`]),
    ])
    if (said === null) break
    // A package that a dependency asks for although nobody brings it, such as a peer that is not needed: fails when it is used.
    const unresolved = [...said.matchAll(/Could not resolve "([^"]+)"/g)].map((match) => match[1]!)
    const wrong = specifiers.find((specifier) => unresolved.includes(specifier))
    if (wrong !== undefined) throw new PackerError('BUNDLE_FAILED', `there is no ${wrong} in its package`)
    const absent = new Set(unresolved.map(packageOf))
    const fresh = [...absent].filter((name): name is string => name !== undefined && !missing.has(name))
    if (fresh.length === 0) throw new PackerError('BUNDLE_FAILED', complaints(said))
    if (round === limits.rounds)
      throw new PackerError('BUNDLE_FAILED', `packages need others that nobody brings, more each time: ${fresh[0]}`)
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

interface Run {
  program: string
  folder: string
  /** As `performance.now` counts. */
  ends: number
  limits: Readonly<BundleLimits>
}

/** What esbuild has to complain about; null when it is content. */
async function runEsbuild({ program, folder, ends, limits }: Run, given: readonly string[]): Promise<string | null> {
  const child = spawn(
    program,
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
  const tooLong = `it took longer than ${Math.ceil(limits.ms / 1000)} seconds`
  const deadline = setTimeout(() => end(tooLong), Math.max(0, ends - performance.now()))
  const watch = setInterval(() => {
    void residentBytes(child.pid).then((bytes) => {
      if (bytes > limits.bytes) end(`it took more than ${Math.ceil(limits.bytes / 2 ** 20)} MB of memory`)
    })
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
