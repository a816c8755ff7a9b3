// Builds what changed since the last build: the dev server that goes into boxes, the server, the web app.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

function hashOf(paths) {
  const hash = createHash('sha256').update(process.version)
  const add = (path) => {
    if (!existsSync(path)) return
    if (statSync(path).isDirectory()) {
      for (const entry of readdirSync(path).toSorted()) {
        if (entry !== 'dist' && entry !== 'node_modules') add(join(path, entry))
      }
    } else if (!/\.test\.tsx?$|\.md$/.test(path)) {
      hash.update(path).update('\0').update(readFileSync(path))
    }
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}

function run(command, args, options = {}) {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  if (status !== 0) process.exit(status ?? 1)
}

async function buildServer() {
  await build({
    entryPoints: ['apps/server/src/main.ts'],
    outfile: 'apps/server/dist/main.js',
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [
      {
        name: 'bundle-only-our-own',
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === 'entry-point' || path.startsWith('@boxyard/') ? undefined : { path, external: true },
          )
        },
      },
    ],
  })
}

const common = ['package-lock.json', 'scripts/build.mjs', 'tsconfig.base.json']
const packages = readdirSync('packages').map((name) => join('packages', name))
const pieces = [
  {
    name: 'dev server',
    out: 'packages/dev-server/dist',
    inputs: ['packages/dev-server', 'packages/protocol', 'packages/ot'],
    make: () => run(process.execPath, ['packages/dev-server/build.mjs']),
  },
  { name: 'server', out: 'apps/server/dist', inputs: ['apps/server', ...packages], make: buildServer },
  {
    name: 'web app',
    out: 'apps/web/dist',
    inputs: ['apps/web', ...packages],
    make: () => run('../../node_modules/.bin/vite', ['build', '--logLevel', 'error'], { cwd: 'apps/web' }),
  },
]

for (const { name, out, inputs, make } of pieces) {
  const stamp = join(out, '.built-from')
  const hash = hashOf([...common, ...inputs])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) continue
  const started = Date.now()
  process.stdout.write(`Building the ${name}\n`)
  await make()
  mkdirSync(out, { recursive: true })
  writeFileSync(stamp, hash)
  process.stdout.write(`Built the ${name} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
}
