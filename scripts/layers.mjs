// The layer check: an import may only point down the list of packages, and code for one runtime never imports another's.
// Prints rule, file, line and reason for each breach.
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Top to bottom. `runtime` is where the code runs when no folder `common`, `browser` or `node` says otherwise. */
const layers = [
  { folder: 'apps/web', name: '@boxyard/web', runtime: 'browser' },
  { folder: 'apps/server', name: '@boxyard/server', runtime: 'node' },
  { folder: 'packages/workbench', name: '@boxyard/workbench', runtime: 'browser' },
  { folder: 'packages/browser-backend', name: '@boxyard/browser-backend', runtime: 'browser' },
  { folder: 'packages/dev-server', name: '@boxyard/dev-server', runtime: 'node' },
  { folder: 'packages/dev-server-client', name: '@boxyard/dev-server-client', runtime: 'common' },
  { folder: 'packages/boxes', name: '@boxyard/boxes', runtime: 'node' },
  { folder: 'packages/git-host', name: '@boxyard/git-host', runtime: 'node' },
  { folder: 'packages/packer', name: '@boxyard/packer', runtime: 'node' },
  { folder: 'packages/api', name: '@boxyard/api', runtime: 'common' },
  { folder: 'packages/ui', name: '@boxyard/ui', runtime: 'browser' },
  { folder: 'packages/protocol', name: '@boxyard/protocol', runtime: 'common' },
  { folder: 'packages/ot', name: '@boxyard/ot', runtime: 'common' },
]

/** Which runtimes code of one runtime may import from. */
const mayUse = { common: ['common'], browser: ['browser', 'common'], node: ['node', 'common'] }
const builtins = new Set(builtinModules)

function* sources(folder) {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry)
    if (entry === 'node_modules' || entry === 'dist') continue
    if (statSync(path).isDirectory()) yield* sources(path)
    else if (/\.(ts|tsx|mts)$/.test(entry)) yield path
  }
}

/** Tests, playgrounds and build configuration may look anywhere; what ships may not. */
const isShipped = (path) =>
  path.includes(`${sep}src${sep}`) && !/\.test\.tsx?$/.test(path) && !path.includes(`${sep}testing${sep}`)

function runtimeOf(path) {
  const layer = layers.find(({ folder }) => path.startsWith(join(root, folder) + sep))
  if (!layer) return 'common'
  const named = relative(join(root, layer.folder), path)
    .split(sep)
    .find((part) => part in mayUse)
  return named ?? layer.runtime
}

/** Where the entry of a package runs: an entry of its own may stand in a folder that says so. */
function runtimeOfImport(layer, specifier) {
  if (specifier === layer.name) return layer.runtime
  const { exports } = JSON.parse(readFileSync(join(root, layer.folder, 'package.json'), 'utf8'))
  const file = exports?.[`.${specifier.slice(layer.name.length)}`]
  return typeof file === 'string' ? runtimeOf(join(root, layer.folder, file)) : layer.runtime
}

function* imports(text) {
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const pattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"]+)\1/g
    for (const match of line.matchAll(pattern))
      yield { specifier: match[2], line: index + 1, typeOnly: /^\s*(import|export) type\b/.test(line) }
  }
}

const breaches = []
let files = 0
for (const [rank, layer] of layers.entries()) {
  let folder
  try {
    folder = join(root, layer.folder)
    statSync(folder)
  } catch {
    continue
  }
  for (const path of sources(folder)) {
    if (!isShipped(path)) continue
    files += 1
    const runtime = runtimeOf(path)
    const breach = (line, rule, why) => breaches.push(`${relative(root, path)}:${line} ${rule}: ${why}`)
    for (const { specifier, line, typeOnly } of imports(readFileSync(path, 'utf8'))) {
      const target = layers.findIndex(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
      if (target !== -1 && target < rank)
        breach(line, 'L1 down only', `${layer.name} must not import ${specifier}, which stands above it`)
      const theirs = target === -1 ? 'common' : runtimeOfImport(layers[target], specifier)
      if (!typeOnly && !mayUse[runtime].includes(theirs))
        breach(line, 'L2 runtime', `${runtime} code must not import ${specifier}, which runs in ${theirs}`)
      if (runtime !== 'node' && (specifier.startsWith('node:') || builtins.has(specifier))) {
        breach(line, 'L3 no Node here', `${runtime} code must not import ${specifier}`)
      }
      if (specifier.startsWith('.')) {
        const aim = resolve(dirname(path), specifier)
        if (!aim.startsWith(folder + sep))
          breach(line, 'L4 through the front door', `import the package by its name, not by ${specifier}`)
        else if (!typeOnly && !mayUse[runtime].includes(runtimeOf(aim)))
          breach(line, 'L2 runtime', `${runtime} code must not import ${specifier}`)
      }
    }
  }
}

if (files === 0) breaches.push('no source file was found: the check checks nothing')
for (const breach of breaches) console.error(breach)
console.log(`layers: ${files} files, ${breaches.length} breaches`)
process.exit(breaches.length === 0 ? 0 : 1)
