import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { FolderWatch } from './FolderWatch.ts'
import { isUnwatched } from './workspace.ts'

let parent: string
let root: string
let folderWatch: FolderWatch | undefined
/** What was told, as `type path`, in order. */
let told: string[]
let heard: () => void
const logged: string[] = []

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'boxyard-watch-'))
  root = join(parent, 'root')
  await mkdir(root)
  told = []
  heard = () => undefined
  logged.length = 0
})
afterEach(async () => {
  await folderWatch?.close()
  await rm(parent, { recursive: true })
  expect(logged).toEqual([])
})

async function start(): Promise<void> {
  folderWatch = await FolderWatch.start({
    root,
    isIgnored: (path) => isUnwatched(root, path),
    onEvents: (events) => {
      for (const { type, path } of events) told.push(`${type} ${path.slice(root.length + 1)}`)
      heard()
    },
    log: createLog((line) => logged.push(line)),
  })
}

async function until(line: string): Promise<void> {
  while (!told.includes(line)) await new Promise<void>((resolve) => (heard = resolve))
}

/** Everything told until a file of this name was made, in order of the paths. */
async function toldUntil(mark: string): Promise<string[]> {
  await writeFile(join(root, mark), '')
  await until(`create ${mark}`)
  return told.filter((line) => !line.includes(mark)).toSorted()
}

it('FS3: sees closed folders come and go, at the root and below, but nothing in them', async () => {
  for (const folder of ['node_modules/a', 'packages/b/node_modules/c'])
    await mkdir(join(root, folder), { recursive: true })
  await start()
  await writeFile(join(root, 'node_modules/a/index.js'), '')
  await writeFile(join(root, 'packages/b/node_modules/c/index.js'), '')
  await mkdir(join(root, '.git/objects'), { recursive: true })
  await rm(join(root, 'packages/b/node_modules'), { recursive: true })
  expect(await toldUntil('mark')).toEqual(['create .git', 'delete packages/b/node_modules'])
})

it('FS530: changes are seen however many programs start and end meanwhile', async () => {
  await start()
  for (let round = 0; round < 60; round += 1) {
    const children = Array.from({ length: 10 }, () => spawn('true', { stdio: 'ignore' }))
    await Promise.all(children.map((child) => once(child, 'exit')))
  }
  expect(await toldUntil('mark')).toEqual([])
})

it('FS531: what a folder holds is told when it comes and when it goes, also by another name', async () => {
  await start()
  await mkdir(join(parent, 'elsewhere/deep'), { recursive: true })
  await writeFile(join(parent, 'elsewhere/deep/a'), '')
  await rename(join(parent, 'elsewhere'), join(root, 'come'))
  await until('create come/deep/a')
  await rename(join(root, 'come'), join(root, 'moved'))
  await until('create moved/deep/a')
  expect(told.filter((line) => line.startsWith('delete')).toSorted()).toEqual([
    'delete come',
    'delete come/deep',
    'delete come/deep/a',
  ])
  await writeFile(join(root, 'moved/deep/b'), '')
  await until('create moved/deep/b')
  told = []
  await rename(join(root, 'moved'), join(parent, 'gone'))
  await writeFile(join(parent, 'gone/deep/unseen'), '')
  expect(await toldUntil('mark')).toEqual([
    'delete moved',
    'delete moved/deep',
    'delete moved/deep/a',
    'delete moved/deep/b',
  ])
})

it('FS531: a name that something else has taken is told as gone and made, and a change of content as that', async () => {
  await writeFile(join(root, 'file'), 'one')
  await writeFile(join(root, 'next'), 'two')
  await writeFile(join(root, 'other'), '')
  await start()
  await writeFile(join(root, 'other'), 'changed')
  await until('update other')
  await rename(join(root, 'next'), join(root, 'file'))
  await until('create file')
  expect(told.filter((line) => line.endsWith('file'))).toEqual(['delete file', 'create file'])
  await unlink(join(root, 'file'))
  await mkdir(join(root, 'file'))
  await writeFile(join(root, 'file/inside'), '')
  await until('create file/inside')
})

it('FS531: the end of the folder that is watched is told', async () => {
  await start()
  await rmdir(root)
  await until('delete ')
  expect(told).toEqual(['delete '])
})
