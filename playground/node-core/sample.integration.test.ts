import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projectOf } from './nodeTests.ts'
import { runInNode } from './runInNode.ts'
import { runInThreads } from './runInThreads.ts'

// A few tests of our own in the manner of Node's, one a module: Node's own are not brought along, and take minutes.

const sample = join(import.meta.dirname, 'sample')
const names = readdirSync(join(sample, 'test/parallel'))
const passed = Object.fromEntries(names.map((name) => [name, 'passed']))
const scripts = mkdtempSync(join(tmpdir(), 'node-sample-'))

beforeAll(async () => {
  const builder = new URL('../../packages/browser-backend/build.mjs', import.meta.url).href
  const { buildPreviewScripts } = (await import(builder)) as { buildPreviewScripts(folder: string): Promise<void> }
  await buildPreviewScripts(scripts)
})
afterAll(() => rmSync(scripts, { recursive: true }))

it('BB1154: the sample says what Node does', async () => {
  expect(await runInNode(projectOf(sample, names))).toEqual(passed)
})
it('BB1154, BB1158, BB1159: the modules of a sandbox pass the sample of their tests', async () => {
  expect(await runInThreads(projectOf(sample, names), scripts)).toEqual(passed)
})
