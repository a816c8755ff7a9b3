import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { frameworks } from './asks.ts'
import type { Asked, Framework } from './asks.ts'

/** Above what other programs of a machine listen on. */
const FIRST_PORT = 47_100
const LARGEST = 400_000
const TEXT = /\.(?:[cm]?js|json|html|css|txt|md|ejs|hbs|png)$|\/[\w-]+$/

function textsBelow(folder: string, inside: string, files: Record<string, string>): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) textsBelow(path, `${inside}/${entry.name}`, files)
    else if (entry.isFile() && TEXT.test(path) && statSync(path).size < LARGEST)
      files[`${inside}/${entry.name}`] = readFileSync(path, 'utf8')
  }
}

/** The packages that a package needs, with it. */
function neededBy(name: string, modules: string, found = new Set<string>()): Set<string> {
  const manifest = join(modules, name, 'package.json')
  if (found.has(name) || !existsSync(manifest)) return found
  found.add(name)
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: object }
  for (const one of Object.keys(dependencies)) neededBy(one, modules, found)
  return found
}

/** The files of a project that asks servers, by path. */
export function projectOfServers(
  asked: readonly Asked[],
  files: Readonly<Record<string, string>>,
  packages: { names: readonly string[]; modules: string },
): Record<string, string> {
  const all: Record<string, string> = {
    ...files,
    'package.json': '{"private":true}',
    'run.cjs': readFileSync(join(import.meta.dirname, 'ask.cjs'), 'utf8'),
    'asks.json': JSON.stringify(asked),
  }
  const needed = new Set(packages.names.flatMap((name) => [...neededBy(name, packages.modules)]))
  for (const name of needed) textsBelow(join(packages.modules, name), `node_modules/${name}`, all)
  return all
}

/**
 * The examples of a framework as one project. `sources`: the framework's repository. `modules`: a folder node_modules with what the examples
 * take. `as`: the package in it that stands for the framework, for one of several versions.
 */
export function projectOfExamples(
  framework: Framework,
  sources: string,
  modules: string,
  as: string,
  wanted: RegExp,
): { files: Record<string, string>; asked: readonly Asked[] } {
  const { steps, listens } = frameworks[framework]
  const files: Record<string, string> = {}
  textsBelow(join(sources, 'examples'), 'examples', files)
  // Examples take the framework by the path to its own sources.
  files['index.js'] = `module.exports = require('${as}')`
  files['lib/express.js'] = files['index.js']
  const asked = Object.entries(steps)
    .filter(([name]) => wanted.test(name))
    .map(([name, given], index): Asked => {
      const file = `examples/${name}/index.js`
      const port = FIRST_PORT + index
      files[file] = files[file]!.replace(listens, `.listen(${port}`)
      const cwd = framework === 'ws' ? `examples/${name}` : '.'
      return { name, file: framework === 'ws' ? 'index.js' : file, cwd, port, steps: given }
    })
  const taken = Object.values(files).flatMap((text) =>
    [...text.matchAll(/require\(["']([\w@][\w@/.-]*)["']\)/g)].map(([, name]) => name!),
  )
  const names = [...new Set([...taken, as, 'ejs', 'hbs', 'ws'])].filter((name) => existsSync(join(modules, name)))
  return { files: projectOfServers(asked, files, { names, modules }), asked }
}
