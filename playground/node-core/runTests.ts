import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository, writeCoreTable } from './coreTable.ts'
import type { ModuleResults } from './coreTable.ts'
import { modules, projectOf, sortTests } from './nodeTests.ts'
import { runInNode } from './runInNode.ts'
import { runInThreads } from './runInThreads.ts'

// npx tsx playground/node-core/runTests.ts SOURCES [MODULE,MODULE] [WORDS]
//
// Runs Node's own core tests in the processes of a sandbox and writes the table of docs/guides/browser-programs.md. Each process is what it is
// in a browser, the built script of `packages/browser-backend`, but in a thread of Node in place of a worker of a page: that takes minutes
// where a browser takes an hour. `node-core.e2e.test.ts` does the same in a browser. With words only the tests that have them in their names
// run, what they say is shown, and the table stays.

const [sources, wanted, words] = process.argv.slice(2)
const scripts = mkdtempSync(join(tmpdir(), 'node-core-scripts-'))

if (sources === undefined) throw new Error('Which folder has the sources of Node?')
const tests = sortTests(sources)
const builder = new URL('../../packages/browser-backend/build.mjs', import.meta.url).href
const { buildPreviewScripts } = (await import(builder)) as { buildPreviewScripts(folder: string): Promise<void> }
await buildPreviewScripts(scripts)
mkdirSync(join(repository, 'test-results'), { recursive: true })
for (const module of wanted?.split(',') ?? Object.keys(modules)) {
  const all = tests.applying[module]
  if (!all) throw new Error(`${module} is none of ${Object.keys(modules).join(', ')}`)
  const chosen = all.filter((name) => words === undefined || new RegExp(words).test(name))
  const inNode = await runInNode(projectOf(sources, chosen))
  const meaningful = chosen.filter((name) => inNode[name] === 'passed')
  const show = (text: string) => void (words !== undefined && process.stdout.write(text))
  const here = await runInThreads(projectOf(sources, meaningful), scripts, show)
  writeFileSync(join(repository, `test-results/node-core-${module}.json`), JSON.stringify(here, null, 1))
  if (words !== undefined) {
    console.log(JSON.stringify(here, null, 1))
    continue
  }
  const results: ModuleResults = { inNode, here, skipped: tests.skipped[module]! }
  writeCoreTable({ [module]: results })
  console.log(`${module}: ${Object.values(here).filter((one) => one === 'passed').length} of ${meaningful.length}`)
}
rmSync(scripts, { recursive: true })
process.exit()
