import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createAccount } from '../support/createAccount.ts'
import { beginStory, repository } from '../support/story.ts'
import { writeCoreTable } from './coreTable.ts'
import type { ModuleResults, Results } from './coreTable.ts'
import { modules, projectOf, sortTests } from './nodeTests.ts'
import { runInNode } from './runInNode.ts'

// Runs Node's own core tests in programs of the browser and writes the table of docs/guides/browser-programs.md. It takes many minutes, so
// it runs only when NODE_SOURCES names a folder of Node's sources; NODE_MODULES, separated by commas, takes some modules alone. runTests.ts does it
// without a browser in a fraction of the time.

const sources = process.env['NODE_SOURCES']
const { story, step: it } = beginStory('node-core', {}, sources === undefined)
const chosen = process.env['NODE_MODULES']?.split(',') ?? Object.keys(modules)
const tests = sources === undefined ? { applying: {}, skipped: {} } : sortTests(sources)
const inNode: Record<string, Results> = {}
const inBrowser: Record<string, Results> = {}

async function runInBrowser(files: Record<string, string>): Promise<Results> {
  const { page, server } = story
  const id = await page.evaluate(async (given) => {
    const headers = { 'content-type': 'application/json' }
    const content = Object.fromEntries(Object.entries(given).map(([path, text]) => [path, { content: text }]))
    const body = JSON.stringify({ files: content })
    const response = await fetch('/api/v1/sandboxes/define?json=1', { method: 'POST', headers, body })
    if (!response.ok) throw new Error(await response.text())
    return ((await response.json()) as { sandbox_id: string }).sandbox_id
  }, files)
  await page.goto(`${server.address}/sandbox/${id}`)
  let results: Results | undefined
  await expect
    .poll(
      async () => {
        const found = await page.evaluate(async (sandbox) => {
          const { data } = await (await fetch(`/api/v1/sandboxes/${sandbox}`)).json()
          return data.modules.find(({ title }: { title: string }) => title === 'results.json')?.code as
            string | undefined
        }, id)
        results = found === undefined ? undefined : (JSON.parse(found) as Results)
        return results !== undefined
      },
      { timeout: 1_200_000, interval: 2000 },
    )
    .toBe(true)
  return results!
}

it('signs in', async () => {
  await createAccount(story.page, story.server.address, 'ada')
})

for (const module of chosen) {
  it(`runs the tests of ${module}`, async () => {
    const all = tests.applying[module] ?? []
    inNode[module] = await runInNode(projectOf(sources!, all))
    const meaningful = all.filter((name) => inNode[module]![name] === 'passed')
    inBrowser[module] = await runInBrowser(projectOf(sources!, meaningful))
    const folder = join(repository, 'test-results')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `node-core-${module}.json`), JSON.stringify(inBrowser[module], null, 1))
  })
}

it('writes the table', async () => {
  const ofModule = (module: string): ModuleResults => ({
    inNode: inNode[module]!,
    here: inBrowser[module]!,
    skipped: tests.skipped[module]!,
  })
  writeCoreTable(Object.fromEntries(chosen.map((module) => [module, ofModule(module)])))
})
