import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { watchFolder } from './watchFolder.ts'
import { unwatched } from './workspace.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'boxyard-watch-'))
})
afterEach(() => rm(root, { recursive: true }))

it('sees closed folders come and go, at the root and below, but nothing in them', async () => {
  for (const folder of ['node_modules/a', 'packages/b/node_modules/c'])
    await mkdir(join(root, folder), { recursive: true })
  const seen = new Set<string>()
  let stopWaiting = (): void => undefined
  const marked = new Promise<void>((resolve) => (stopWaiting = resolve))
  const stop = await watchFolder(
    root,
    unwatched,
    (events) => {
      for (const { path } of events) seen.add(path.slice(root.length + 1))
      if (seen.has('mark')) stopWaiting()
    },
    createLog(() => undefined),
  )
  try {
    await writeFile(join(root, 'node_modules/a/index.js'), '')
    await writeFile(join(root, 'packages/b/node_modules/c/index.js'), '')
    await mkdir(join(root, '.git/objects'), { recursive: true })
    await rm(join(root, 'packages/b/node_modules'), { recursive: true })
    await writeFile(join(root, 'mark'), '')
    await marked
    expect([...seen].toSorted()).toEqual(['.git', 'mark', 'packages/b/node_modules'])
  } finally {
    await stop()
  }
})
