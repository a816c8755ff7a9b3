import { spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { removeTree } from '../testing/removeTree.ts'
import { Trash } from '../trash.ts'
import { SharedTrees } from './sharedTrees.ts'

const root = await mkdtemp(path.join(tmpdir(), 'boxyard-trees-'))
afterAll(() => removeTree(root))

const FILES = 32
const MEBIBYTE = 1024 * 1024
const ROUNDS = 8
const idOf = (sign: string) => sign.repeat(64)

/** An archive of a tree of `mebibytes` in files of one size. */
async function archiveOf(name: string, mebibytes: number): Promise<string> {
  const content = path.join(root, name)
  await mkdir(content)
  for (let at = 0; at < FILES; at += 1) {
    await writeFile(path.join(content, `file-${at}`), Buffer.alloc((mebibytes * MEBIBYTE) / FILES, String(at % 10)))
  }
  await writeFile(path.join(content, '.tree-is-whole'), '')
  const names = [...(await readdir(content)).filter((one) => one !== '.tree-is-whole'), '.tree-is-whole']
  expect(spawnSync('tar', ['-c', '-C', content, '-f', `${content}.tar`, ...names]).status).toBe(0)
  return `${content}.tar`
}

async function openTrees(folder: string, keptBytes?: number): Promise<{ trees: SharedTrees; trash: Trash }> {
  const trash = new Trash(path.join(folder, 'trash'))
  await trash.open()
  const size = keptBytes === undefined ? {} : { keptBytes }
  const trees = new SharedTrees({ folder: path.join(folder, 'trees'), trash, owner: null, ...size })
  await trees.open()
  return { trees, trash }
}

it('BX900: what is kept ends at its size: the tree that was given longest ago goes first, and whoever has a copy keeps it', async () => {
  const folder = path.join(root, 'size')
  const two = await archiveOf('two', 2)
  const { trees, trash } = await openTrees(folder, 5 * MEBIBYTE)
  await trees.keep(idOf('a'), two)
  const a = (await trees.find(idOf('a')))!
  await mkdir(path.join(folder, 'given'))
  await trees.copy(a, path.join(folder, 'given', 'a'))
  await trees.keep(idOf('b'), two)
  // The first one was given long ago, the second one now.
  const kept = path.join(folder, 'trees', 'kept')
  await utimes(path.join(kept, `${a.id}.${a.kibibytes}`), new Date(0), new Date(0))
  await trees.copy((await trees.find(idOf('b')))!, path.join(folder, 'given', 'b'))
  await trees.keep(idOf('c'), two)

  expect(await trees.find(idOf('a'))).toBeNull()
  expect((await readdir(kept)).map((name) => name[0]).toSorted()).toEqual(['b', 'c'])
  await trash.emptied()
  expect(await readFile(path.join(folder, 'given', 'a', 'file-7'), 'utf8')).toBe('7'.repeat((2 * MEBIBYTE) / FILES))

  await expect(trees.keep(idOf('d'), await archiveOf('six', 6))).rejects.toMatchObject({ code: 'DISK_FAILED' })
  expect((await readdir(kept)).map((name) => name[0]).toSorted()).toEqual(['b', 'c'])
  await trees.close()
  await trash.close()
})

it('BX901: several who bring the same tree at once unpack it once', async () => {
  const folder = path.join(root, 'once')
  const { trees, trash } = await openTrees(folder)
  const archive = path.join(root, 'two.tar')
  await Promise.all(Array.from({ length: 5 }, () => trees.keep(idOf('a'), archive)))
  expect(await readdir(path.join(folder, 'trees', 'kept'))).toHaveLength(1)
  await trees.close()
  expect(await readdir(path.join(folder, 'trees', 'drafts'))).toEqual([])
  await trash.close()
})

it(`BX877: a copy that somebody was told of is whole after SIGKILL at any moment, and nothing half made stays, ${ROUNDS} times`, async () => {
  const folder = path.join(root, 'killed')
  const archive = path.join(root, 'two.tar')
  const script = fileURLToPath(new URL('../testing/giveTrees.ts', import.meta.url))
  const told: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = spawn(process.execPath, ['--import', 'tsx', script, folder, archive, String(round)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      server.once('exit', (_code, signal) => resolve(signal)),
    )
    // Later in each round, so that it falls into unpacking, into linking and in between.
    let left = round * 2
    for await (const line of createInterface(server.stdout)) {
      if (line !== 'open') told.push(line)
      if (left === 0) server.kill('SIGKILL')
      left -= 1
    }
    expect(await ended).toBe('SIGKILL')
  }
  expect(told.length).toBeGreaterThanOrEqual(ROUNDS)
  const { trees, trash } = await openTrees(folder)
  const whole = async (at: string) => {
    const names = await readdir(at)
    expect([at, names.length]).toEqual([at, FILES])
    for (const name of names) expect((await stat(path.join(at, name))).size).toBe((2 * MEBIBYTE) / FILES)
  }
  const given = await readdir(path.join(folder, 'given'))
  expect(given).toEqual(expect.arrayContaining(told))
  for (const name of given) await whole(path.join(folder, 'given', name))
  for (const name of await readdir(path.join(folder, 'trees', 'kept')))
    await whole(path.join(folder, 'trees', 'kept', name))
  for (const place of ['drafts', 'ready']) expect(await readdir(path.join(folder, 'trees', place))).toEqual([])
  await trees.close()
  await trash.close()
})
