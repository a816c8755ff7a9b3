import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from '../node-core/coreTable.ts'
import { runInNode } from '../node-core/runInNode.ts'
import { runInThreads } from '../node-core/runInThreads.ts'
import { frameworks } from './asks.ts'
import { projectOfExamples } from './projectOfExamples.ts'
import type { Framework } from './asks.ts'

// npx tsx playground/examples/runExamples.ts express|ws SOURCES MODULES [PACKAGE] [WORDS]
//
// Runs the examples of a framework's repository (SOURCES) as programs of a sandbox, in threads of Node, asks each what its own tests ask it,
// and compares that with what Node itself answers. MODULES is a folder node_modules with what the examples take, PACKAGE the one in it that
// stands for the framework. With words only the examples that have them in their names run, and everything that is said is shown.

const [framework, sources, modules, as = framework, words] = process.argv.slice(2)
if (framework === undefined || !(framework in frameworks) || sources === undefined || modules === undefined)
  throw new Error(`Which framework (${Object.keys(frameworks).join(', ')}), its sources, and a folder node_modules?`)
const scripts = mkdtempSync(join(tmpdir(), 'examples-scripts-'))
const builder = new URL('../../packages/browser-backend/build.mjs', import.meta.url).href
const { buildPreviewScripts } = (await import(builder)) as { buildPreviewScripts(folder: string): Promise<void> }
await buildPreviewScripts(scripts)

const { files, asked } = projectOfExamples(framework as Framework, sources, modules, as!, new RegExp(words ?? ''))
console.log(`${Object.keys(files).length} files, ${asked.length} examples`)
const inNode = await runInNode(files)
const here = await runInThreads(files, scripts, (text) => void process.stdout.write(text))
rmSync(scripts, { recursive: true })

const differing = Object.keys({ ...inNode, ...here }).filter((key) => inNode[key] !== here[key])
for (const key of differing) console.log(`\n${key}\n--- Node\n${inNode[key]}\n--- here\n${here[key]}`)
const alike = asked.filter(({ name }) => !differing.some((key) => key === name || key.startsWith(`${name} `)))
console.log(`\n${as}: ${alike.length} of ${asked.length} examples answer as in Node`)
console.log(`${Object.keys(inNode).length - differing.length} of ${Object.keys(inNode).length} answers are the same`)
mkdirSync(join(repository, 'test-results'), { recursive: true })
writeFileSync(
  join(repository, `test-results/examples-${as}.json`),
  JSON.stringify({ inNode, here, differing }, null, 1),
)
process.exit(differing.length === 0 ? 0 : 1)
