import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The modules that are looked at, with how the names of their tests begin. */
export const modules: Readonly<Record<string, RegExp>> = {
  assert: /^test-assert/,
  async_hooks: /^test-async-local-storage/,
  buffer: /^test-buffer/,
  child_process: /^test-child-process/,
  crypto: /^test-crypto/,
  diagnostics_channel: /^test-diagnostics-channel/,
  events: /^test-(?:event-emitter|events|eventtarget)/,
  fs: /^test-fs/,
  http: /^test-http-/,
  path: /^test-path/,
  querystring: /^test-querystring/,
  readline: /^test-readline/,
  stream: /^test-stream/,
  string_decoder: /^test-string-decoder/,
  timers: /^test-timers/,
  url: /^test-(?:url|whatwg-url)/,
  util: /^test-util/,
  zlib: /^test-zlib/,
}

/** Why a test says nothing about a page; undefined when it applies. */
export function reasonToSkip(text: string): string | undefined {
  if (/^\/\/ Flags:/m.test(text)) return 'asks for flags of the program'
  if (/require\(['"]internal\/|process\.binding|internalBinding/.test(text)) return 'looks at the inside of Node'
  const needs =
    /require\(['"](?:node:)?(net|tls|http2|dgram|cluster|worker_threads|inspector|repl|vm|v8|https|domain)['"]\)/.exec(
      text,
    )
  if (needs) return `needs ${needs[1]}`
  const waits = /\b(spawnSync|execSync|execFileSync)\b/.exec(text)
  if (waits) return `needs ${waits[1]}`
  if (/common\/(?!fixtures|tmpdir|countdown|arraystream|duplexpair|tick)\w/.test(text))
    return 'needs a tool of the tests of Node'
  return undefined
}

export interface NodeTests {
  /** What applies, by module. */
  applying: Record<string, string[]>
  skipped: Record<string, Record<string, number>>
}

/** Sorts the tests of a folder of Node's sources. */
export function sortTests(sources: string): NodeTests {
  const folder = join(sources, 'test/parallel')
  const applying: NodeTests['applying'] = {}
  const skipped: NodeTests['skipped'] = {}
  for (const [module, names] of Object.entries(modules)) {
    applying[module] = []
    skipped[module] = {}
    for (const name of readdirSync(folder).filter((one) => names.test(one) && one.endsWith('.js'))) {
      const reason = reasonToSkip(readFileSync(join(folder, name), 'utf8'))
      if (reason === undefined) applying[module].push(name)
      else skipped[module][reason] = (skipped[module][reason] ?? 0) + 1
    }
  }
  return { applying, skipped }
}

/** The files of a project that runs these tests, by path. */
export function projectOf(sources: string, tests: readonly string[]): Record<string, string> {
  const own = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
  const files: Record<string, string> = {
    'package.json': '{"scripts":{"start":"node run.cjs"}}',
    'tests.json': JSON.stringify(tests),
    'run.cjs': own('run.cjs'),
    'test/common/index.js': own('common.cjs'),
    'test/common/tmpdir.js': own('tmpdir.cjs'),
  }
  for (const name of ['fixtures', 'countdown', 'arraystream', 'duplexpair', 'tick']) {
    const path = join(sources, `test/common/${name}.js`)
    // Not every version has all of them.
    if (existsSync(path)) files[`test/common/${name}.js`] = readFileSync(path, 'utf8')
  }
  const fixtures = join(sources, 'test/fixtures')
  const said = tests.map((name) => readFileSync(join(sources, 'test/parallel', name), 'utf8'))
  for (const [index, name] of tests.entries()) files[`test/parallel/${name}`] = said[index]!
  for (const name of existsSync(fixtures) ? readdirSync(fixtures) : []) {
    const path = join(fixtures, name)
    if (!statSync(path).isFile() || statSync(path).size > 100_000) continue
    if (!/\.(?:c?js|mjs|json|txt)$/.test(name) || !said.some((text) => text.includes(name.replace(/\.\w+$/, ''))))
      continue
    files[`test/fixtures/${name}`] = readFileSync(path, 'utf8')
  }
  for (const name of ['keys/rsa_private.pem', 'keys/rsa_public.pem', 'utf8_test_text.txt']) {
    if (existsSync(join(fixtures, name))) files[`test/fixtures/${name}`] = readFileSync(join(fixtures, name), 'utf8')
  }
  return files
}
