import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BYTES_PER_MIB } from '../driver.ts'
import type { BoxDriver } from '../driver.ts'
import type { LocalDriver } from '../localDriver.ts'
import { BoxProbe } from '../testing/boxProbe.ts'
import { removeTree } from '../testing/removeTree.ts'
import { standInDevServer } from '../testing/standIn.ts'
import { createBwrapDriver } from './createBwrapDriver.ts'

const tier = { cpu: 1, memory: 512, disk: 1024 }
const TREE = 'a'.repeat(64)
const root = await mkdtemp(path.join(tmpdir(), 'boxyard-shared-'))
const home = path.join(root, 'home')
const template = path.join(root, 'template')
const archive = path.join(root, 'tree.tar')

const open = (folder: string): Promise<LocalDriver> =>
  createBwrapDriver({ home: folder, devServer: standInDevServer, node: process.execPath, log: () => undefined })

/** An archive as the platform makes them: `left` has two megabytes. */
async function writeArchive(file: string, last: readonly string[] = ['.tree-is-whole']): Promise<void> {
  const content = await mkdtemp(path.join(root, 'content-'))
  await mkdir(path.join(content, 'left', 'lib'), { recursive: true })
  await mkdir(path.join(content, '@scope', 'right'), { recursive: true })
  await mkdir(path.join(content, '.bin'))
  await writeFile(path.join(content, 'left', 'index.js'), 'left')
  await writeFile(path.join(content, 'left', 'lib', 'large'), Buffer.alloc(2 * BYTES_PER_MIB, 'x'))
  await writeFile(path.join(content, '@scope', 'right', 'index.js'), 'right')
  for (const name of last) await writeFile(path.join(content, name), '')
  const names = ['left', '@scope', '.bin', ...last]
  expect(spawnSync('tar', ['-c', '-C', content, '-f', file, ...names]).status).toBe(0)
}

await mkdir(template)
await writeFile(path.join(template, 'file'), 'from the template')
await writeArchive(archive)
const first = await open(home)
const shares = (await first.probe()).capabilities.has('sharedTrees')

afterAll(async () => {
  await first.dispose()
  await removeTree(root)
})

it('BX870: whether trees can be shared is found by trying', async () => {
  const isRoot = process.getuid?.() === 0
  const { reasons } = await first.probe()
  expect(shares).toBe(isRoot && reasons.some((reason) => reason.startsWith('Disks of boxes are layers')))
  expect(reasons.at(-1)).toContain(shares ? 'are shared between boxes' : 'are unpacked in each box')
  if (shares) return
  await first.keepTree(TREE, archive)
  await first.create({ id: 'alone', disk: { kind: 'folder', path: template }, tier })
  expect(await first.giveTree('alone', TREE, 'node_modules')).toBe(false)
})

describe.runIf(shares)('a tree of packages', () => {
  let driver: BoxDriver = first
  let epoch = 0

  const start = async (id: string): Promise<BoxProbe> => {
    const options = { epoch: (epoch += 1), boot: 'CLEAN', env: {}, egressSocket: null } as const
    await driver.start(id, { ...options, onPhase: () => undefined })
    return new BoxProbe(driver, id)
  }
  const newBox = async (id: string): Promise<BoxProbe> => {
    await driver.create({ id, disk: { kind: 'folder', path: template }, tier })
    return start(id)
  }
  const withTree = async (id: string): Promise<BoxProbe> => {
    const box = await newBox(id)
    await box.sh('mkdir node_modules')
    expect(await driver.giveTree(id, TREE, 'node_modules')).toBe(true)
    return box
  }
  const allFiles = 'cd node_modules && find . -type f | sort | xargs cat | sha256sum && find . | sort'

  beforeAll(() => driver.keepTree(TREE, archive))

  it('BX871: is in a box at once, and nothing of it is copied', async () => {
    const box = await withTree('given')
    expect(await box.sh('cat node_modules/left/index.js node_modules/@scope/right/index.js')).toBe('leftright')
    // The content has more names than this box could have given it.
    expect(Number(await box.sh('stat -c %h node_modules/left/lib/large'))).toBeGreaterThan(1)
    const upper = path.join(home, 'boxes', 'given', 'upper')
    expect(await readdir(path.join(upper, 'workspace', 'node_modules'))).toEqual([])
    expect(await box.sh('ls -A node_modules')).toBe('.bin\n@scope\nleft')
    expect(await box.sh('stat -c %U:%G:%a node_modules/left')).toBe(await box.sh('stat -c %U:%G:%a .'))
  })

  it('BX872: no write of a box reaches what is kept, or another box', async () => {
    const [writer, reader] = [await withTree('writer'), await withTree('reader')]
    const before = await reader.sh(allFiles)
    await writer.sh(
      [
        'cd node_modules',
        'echo changed > left/index.js',
        'echo more >> left/lib/large',
        'chmod 777 @scope/right/index.js',
        'ln left/lib/large hard && echo through >> hard',
        'rm -rf @scope',
        'mv left elsewhere && echo new > elsewhere/new',
      ].join(' && '),
    )
    expect(await writer.sh('cat node_modules/elsewhere/index.js')).toBe('changed')
    expect(await reader.sh(allFiles)).toBe(before)
    const later = await withTree('later')
    expect(await later.sh(allFiles)).toBe(before)
    expect(await reader.sh('stat -c %a node_modules/@scope/right/index.js')).toBe('644')
  })

  it('BX873: is the own of the box: it is changed, moved, removed and given again as any other folder', async () => {
    const box = await withTree('changing')
    await box.sh('mv node_modules/left node_modules/.left && mv node_modules/.left node_modules/left')
    await box.sh('mkdir -p deep/er && mv node_modules deep/er/modules && mv deep deeper')
    expect(await box.sh('cat deeper/er/modules/left/index.js')).toBe('left')
    await box.sh('rm -rf deeper && ! ls deeper 2>&1 && mkdir node_modules')
    expect(await driver.giveTree('changing', TREE, 'node_modules')).toBe(true)
    expect(await box.sh('cat node_modules/left/index.js')).toBe('left')
    await box.sh('rm -rf node_modules/left && mkdir node_modules/left')
    expect(await box.sh('ls -A node_modules/left')).toBe('')
  })

  it('BX874: stays with the disk when the box sleeps, starts again, is forked or sealed', async () => {
    const box = await withTree('parent')
    await box.sh('echo mine > node_modules/left/index.js')
    const before = await box.sh(allFiles)
    expect(await driver.hibernate('parent')).toBe(true)
    await driver.create({ id: 'of-sleeper', disk: { kind: 'box', boxId: 'parent' }, tier })
    await driver.resume('parent')
    expect(await box.sh(allFiles)).toBe(before)
    await driver.create({ id: 'of-running', disk: { kind: 'box', boxId: 'parent' }, tier })
    await driver.seal('parent', 'sealed')
    await driver.create({ id: 'of-sealed', disk: { kind: 'sealed', diskId: 'sealed' }, tier })
    await driver.stop('parent')
    await driver.create({ id: 'of-stopped', disk: { kind: 'box', boxId: 'parent' }, tier })
    const again = await start('parent')
    expect(await again.sh(allFiles)).toBe(before)
    // Each of them needs what it shares after all others have gone.
    await again.sh('rm -rf node_modules')
    for (const id of ['of-sleeper', 'of-running', 'of-sealed', 'of-stopped']) {
      const fork = await start(id)
      expect(await fork.sh(allFiles), id).toBe(before)
      await fork.sh('echo fork > node_modules/@scope/right/index.js && mkdir second')
      expect(await driver.giveTree(id, TREE, 'second'), id).toBe(true)
      expect(await fork.sh('cat second/left/index.js second/@scope/right/index.js'), id).toBe('leftright')
      await driver.destroy(id)
    }
    expect(await again.sh('ls -A')).toBe('file')
  })

  it('BX874: stays when a chain of layers is joined into one', async () => {
    await withTree('link-0')
    for (let link = 1; link <= 9; link += 1) {
      await driver.stop(`link-${link - 1}`)
      await driver.create({ id: `link-${link}`, disk: { kind: 'box', boxId: `link-${link - 1}` }, tier })
      const box = await start(`link-${link}`)
      expect(await box.sh('cat node_modules/left/index.js && touch written')).toBe('left')
      await box.sh(`mkdir more-${link}`)
      expect(await driver.giveTree(`link-${link}`, TREE, `more-${link}`)).toBe(true)
    }
    expect(await new BoxProbe(driver, 'link-9').sh('cat more-*/left/index.js')).toBe('left'.repeat(9))
  })

  it('BX875: counts to the size of the box as if it were unpacked there, the same one once', async () => {
    const box = await newBox('counting')
    const before = (await driver.metrics('counting')).diskBytes
    await box.sh('mkdir one two')
    expect(await driver.giveTree('counting', TREE, 'one')).toBe(true)
    const once = (await driver.metrics('counting')).diskBytes
    expect(once - before).toBeGreaterThan(2 * BYTES_PER_MIB)
    expect(await driver.giveTree('counting', TREE, 'two')).toBe(true)
    expect((await driver.metrics('counting')).diskBytes - once).toBeLessThan(BYTES_PER_MIB)
  })

  it('BX875: a box that was given trees too often unpacks them', async () => {
    const box = await newBox('greedy')
    await box.sh('mkdir $(seq 65)')
    for (let n = 1; n <= 64; n += 1) expect(await driver.giveTree('greedy', TREE, String(n))).toBe(true)
    expect(await driver.giveTree('greedy', TREE, '65')).toBe(false)
    expect(await box.sh('ls -A 65; cat 64/left/index.js')).toBe('left')
  })

  it('BX876: takes the place of an empty folder of the workspace, and of nothing else', async () => {
    const outside = path.join(home, 'outside')
    await mkdir(outside)
    const box = await newBox('hostile')
    await box.sh(`mkdir full && echo kept > full/file && ln -s ${outside} link && ln -s / root && echo text > text`)
    for (const folder of ['full', 'link', `root${outside}`, 'root/tmp/taken', 'link/taken', 'text', '.', 'no/where']) {
      expect(await driver.giveTree('hostile', TREE, folder), folder).toBe(false)
    }
    for (const folder of ['../state', '/tmp', 'full/../../home']) {
      await expect(driver.giveTree('hostile', TREE, folder)).rejects.toMatchObject({ code: 'BOX_INVALID' })
    }
    expect(await readdir(outside)).toEqual([])
    expect(await box.sh('cat full/file text && ls -A')).toBe('kept\ntext\nfile\nfull\nlink\nroot\ntext')
    expect(await driver.giveTree('hostile', 'b'.repeat(64), 'empty')).toBe(false)
  })

  it('BX877: what a crash left half made is gone, and trees that were kept are there', async () => {
    const copy = path.join(root, 'crashed')
    const before = await open(copy)
    await before.keepTree(TREE, archive)
    await before.create({ id: 'one', disk: { kind: 'folder', path: template }, tier })
    await before.dispose()
    await mkdir(path.join(copy, 'trees', 'drafts', 'half', 'left'), { recursive: true })
    await writeArchive(path.join(root, 'cut.tar'), [])
    driver = await open(copy)
    try {
      expect(await readdir(path.join(copy, 'trees', 'drafts'))).toEqual([])
      const box = await start('one')
      await box.sh('mkdir node_modules')
      expect(await driver.giveTree('one', TREE, 'node_modules')).toBe(true)
      expect(await box.sh('cat node_modules/left/index.js')).toBe('left')
      const other = 'c'.repeat(64)
      await expect(driver.keepTree(other, path.join(root, 'cut.tar'))).rejects.toMatchObject({ code: 'DISK_FAILED' })
      await box.sh('mkdir other')
      expect(await driver.giveTree('one', other, 'other')).toBe(false)
      expect(await readdir(path.join(copy, 'trees', 'kept'))).toHaveLength(1)
      // A tree that was removed to make room stays with those who have it.
      await removeTree(path.join(copy, 'trees', 'kept', (await readdir(path.join(copy, 'trees', 'kept')))[0]!))
      expect(await box.sh('cat node_modules/@scope/right/index.js')).toBe('right')
      expect(await readFile(path.join(copy, 'boxes', 'one', 'layers.json'), 'utf8')).toContain('"trees"')
    } finally {
      await driver.dispose()
      driver = first
    }
  })
})
