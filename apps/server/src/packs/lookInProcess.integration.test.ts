import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { installation } from '../installation.ts'
import { temporaryFolder } from '../testing/folders.ts'
import { LOOK_PRIORITY, lookInProcess } from './lookInProcess.ts'
import { projectOfFolder } from './projectFiles.ts'

const folder = temporaryFolder('ahead')
function script(text: string): string {
  const path = join(folder, 'script.mjs')
  writeFileSync(path, text)
  return path
}

it('AP948: a project is looked through by a process of its own', async () => {
  const files = await projectOfFolder(join(installation.templates, 'react-vite-ts'))
  const { questions, sources, types, ahead } = await lookInProcess(join(installation.preview, 'ahead.js'), files)
  const [request] = questions
  expect(ahead?.page.entries).toEqual(['/src/main.tsx'])
  expect(request?.specifiers).toEqual(['react', 'react-dom/client', 'react/jsx-dev-runtime'])
  expect(request?.dependencies).toHaveProperty('react')
  expect([sources, types]).toEqual([null, { dependencies: expect.objectContaining({ react: expect.any(String) }) }])
})

it('AP948: that process has nothing of the environment of the server', async () => {
  const told =
    "process.stdout.write(JSON.stringify({ questions: [{ dependencies: {}, specifiers: [Object.keys(process.env).join('-') || 'nothing'] }], ahead: null }))"
  expect(await lookInProcess(script(told), [])).toEqual({
    questions: [{ dependencies: {}, specifiers: ['nothing'] }],
    sources: null,
    types: null,
    ahead: null,
  })
})

it('AP938: that process leaves the processor to everybody else', async () => {
  const told =
    "import { getPriority } from 'node:os'; process.stdout.write(JSON.stringify({ questions: [{ dependencies: { nice: String(getPriority()) }, specifiers: [] }], ahead: null }))"
  // It may have looked before it was told.
  const look = async () => (await lookInProcess(script(told), [])).questions[0]!.dependencies['nice']
  await expect.poll(look, { timeout: 60_000 }).toBe(String(LOOK_PRIORITY))
})

it.each([
  ['too much memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length))'],
  ['too long an answer', "for (;;) await new Promise((resolve) => process.stdout.write('x'.repeat(65536), resolve))"],
  ['an error', "throw new Error('no')"],
])('AP948: that process ends with %s, and the server goes on', async (_, text) => {
  await expect(lookInProcess(script(text), [['/a.ts', 'text']])).rejects.toThrow('looks through a project')
})

it('AP948: what no request may name is left out, and with it the page that runs it', async () => {
  const told =
    "process.stdout.write(JSON.stringify({ questions: [{ dependencies: {}, specifiers: ['../../etc'] }, { dependencies: {}, specifiers: ['lit'] }], sources: { x: 1 }, types: { lit: '3' }, ahead: { page: { html: '', entries: [], env: {}, assets: [] }, compilation: { project: '', modules: [] } } }))"
  expect(await lookInProcess(script(told), [])).toEqual({
    questions: [{ dependencies: {}, specifiers: ['lit'] }],
    sources: null,
    types: { dependencies: { lit: '3' } },
    ahead: null,
  })
})
