// Builds what changed since the last build: the dev server that goes into boxes, the server, the web app.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

/** Runs a program to its end; a stop of this one ends it too. What it says is shown only when it fails. */
async function run(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk))
  const stop = () => {
    child.kill('SIGTERM')
    process.exit(130)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.once(signal, stop)
  const [status] = await once(child, 'close')
  for (const signal of signals) process.off(signal, stop)
  if (status === 0) return
  process.stderr.write(Buffer.concat(said))
  throw new BuildFailed()
}

class BuildFailed extends Error {}

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
  {
    name: 'scripts of previews',
    out: 'packages/browser-backend/dist',
    inputs: ['packages/browser-backend', 'packages/protocol', 'packages/ot'],
    make: () => run(process.execPath, ['packages/browser-backend/build.mjs']),
  },
  { name: 'server', out: 'apps/server/dist', inputs: ['apps/server', ...packages], make: buildServer },
  {
    name: 'web app',
    out: 'apps/web/dist',
    inputs: ['apps/web', ...packages],
    make: () =>
      run('../../node_modules/.bin/vite', ['build', '--logLevel', 'error'], {
        cwd: 'apps/web',
        // Whatever the environment is for: what people get is never the development build of a library.
        env: { ...process.env, NODE_ENV: 'production' },
      }),
  },
]

for (const { name, out, inputs, make } of pieces) {
  const stamp = join(out, '.built-from')
  const hash = hashOf([...common, ...inputs])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) continue
  const started = Date.now()
  process.stdout.write(`Building the ${name}\n`)
  // A build that is stopped in the middle must not look like a finished one.
  rmSync(stamp, { force: true })
  try {
    await make()
  } catch (error) {
    // esbuild and the programs have said what is wrong; their stacks are about themselves.
    if (!(error instanceof BuildFailed) && !('errors' in error)) throw error
    console.error(`The ${name} could not be built; what is wrong with it is above. Nothing was started.`)
    process.exit(1)
  }
  mkdirSync(out, { recursive: true })
  writeFileSync(stamp, hash)
  process.stdout.write(`Built the ${name} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
}
