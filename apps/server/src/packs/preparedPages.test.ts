import { readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../testing/folders.ts'
import { PreparedPages } from './preparedPages.ts'
import type { ProjectFiles } from './projectFiles.ts'

const home = temporaryFolder('prepared')
let made = 0
function pagesWith(compiler: string): PreparedPages {
  const path = join(home, `compiler-${(made += 1)}.js`)
  writeFileSync(path, compiler)
  return new PreparedPages({ folder: join(home, 'pages'), compiler: [path] })
}
const files: ProjectFiles = [
  ['/b.ts', 'two'],
  ['/a.ts', 'one'],
]
const nothing = { questions: [], sources: null, types: null, ahead: null }

it('AP960: the same files lead to the same page, and other ones or another compiler to another', async () => {
  const pages = pagesWith('one')
  const key = await pages.keyOf(files)
  expect(await pages.keyOf(files.toReversed())).toBe(key)
  expect(await pages.keyOf([files[0]!])).not.toBe(key)
  expect(await pages.keyOf([files[0]!, ['/a.ts', null]])).not.toBe(key)
  expect(await pagesWith('two').keyOf(files)).not.toBe(key)
})

it('AP960: what was found out is there after a new start', async () => {
  const key = await pagesWith('one').keyOf(files)
  expect(await pagesWith('one').find(key)).toBeNull()
  const dependencies = { lit: '3' }
  const ahead = {
    questions: [{ dependencies, specifiers: ['lit'] }],
    sources: { dependencies },
    types: { dependencies },
    ahead: null,
  }
  await pagesWith('one').write(key, ahead)
  expect(await pagesWith('one').find(key)).toEqual(ahead)
})

it('AP960: those that were asked for longest ago make room', async () => {
  const folder = join(home, 'many')
  const pages = new PreparedPages({ folder, compiler: [] })
  await pages.write('first', nothing)
  for (let index = 0; index < 2_099; index += 1) {
    const path = join(folder, `old-${index}.json`)
    writeFileSync(path, JSON.stringify(nothing))
    utimesSync(path, index, index)
  }
  for (let index = 0; index < 100; index += 1) await pages.write(`new-${index}`, nothing)
  const names = readdirSync(folder)
  expect(names).toHaveLength(2_000)
  expect(names).toContain('first.json')
  expect(names).not.toContain('old-0.json')
})
