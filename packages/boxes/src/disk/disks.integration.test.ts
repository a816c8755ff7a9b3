import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBwrapDriver } from '../bwrap/createBwrapDriver.ts'
import type { BoxDriver } from '../driver.ts'
import { BoxProbe } from '../testing/boxProbe.ts'
import { removeTree } from '../testing/removeTree.ts'
import { standInDevServer } from '../testing/standIn.ts'
import { Trash } from '../trash.ts'
import { chooseStore, makeStore, storeWorks } from './chooseStore.ts'
import type { ChooseStoreOptions } from './chooseStore.ts'

const tier = { cpu: 1, memory: 512, disk: 1024 }
const asRoot = process.getuid?.() === 0
let root: string
let template: string

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'boxyard-disks-'))
  template = path.join(root, 'template')
  await mkdir(template)
  await writeFile(path.join(template, 'index.js'), 'original\n')
})

afterAll(() => removeTree(root))

function open(home: string, store: 'overlay' | 'copy') {
  return createBwrapDriver({
    home,
    devServer: standInDevServer,
    node: process.execPath,
    log: () => undefined,
    cgroups: null,
    store,
  })
}

async function start(driver: BoxDriver, id: string): Promise<BoxProbe> {
  await driver.start(id, { epoch: 1, boot: 'CLEAN', env: {}, egressSocket: null, onPhase: () => undefined })
  return new BoxProbe(driver, id)
}

async function storeOptions(name: string): Promise<ChooseStoreOptions> {
  const home = path.join(root, name)
  await mkdir(home)
  const trash = new Trash(path.join(home, 'trash'))
  await trash.open()
  return { home, trash, owner: null, root: asRoot }
}

describe('layers', () => {
  it('BX80: a sealing that a crash interrupted at any step is finished, and nothing of the box is lost', async () => {
    const home = path.join(root, 'interrupted')
    const first = await open(home, 'overlay')
    await first.create({ id: 'one', disk: { kind: 'folder', path: template }, tier })
    await first.dispose()
    for (const steps of [1, 2, 3]) {
      const copy = path.join(root, `interrupted-${steps}`)
      spawnSync('cp', ['-a', home, copy])
      const upper = path.join(copy, 'boxes', 'one', 'upper')
      // The steps of a sealing; the crash comes after so many.
      const list = path.join(copy, 'boxes', 'one', 'layers.json')
      await writeFile(list, JSON.stringify({ layers: ['0123abcd'] }))
      if (steps > 1) await rename(upper, path.join(copy, 'layers', '0123abcd'))
      if (steps > 2) await mkdir(`${upper}.new`)
      const driver = await open(copy, 'overlay')
      expect(await (await start(driver, 'one')).sh('cat index.js && echo more > new && cat new')).toBe('original\nmore')
      await driver.dispose()
    }
  })

  it('BX81: layers are removed with the last box and sealed disk that need them', async () => {
    const home = path.join(root, 'collected')
    const driver = await open(home, 'overlay')
    await driver.create({ id: 'one', disk: { kind: 'folder', path: template }, tier })
    await driver.seal('one', 'disk')
    await driver.create({ id: 'two', disk: { kind: 'sealed', diskId: 'disk' }, tier })
    await driver.destroy('one')
    await driver.removeSealed('disk')
    expect(await readdir(path.join(home, 'layers'))).toHaveLength(1)
    expect(await (await start(driver, 'two')).sh('cat index.js')).toBe('original')
    await driver.destroy('two')
    expect(await readdir(path.join(home, 'layers'))).toEqual([])
    await driver.dispose()
  })

  it('BX82: a fork of 50,000 files shares them: it takes milliseconds and next to no room', async () => {
    const home = path.join(root, 'many')
    const many = path.join(root, 'many-template')
    for (let folder = 0; folder < 500; folder += 1) {
      await mkdir(path.join(many, String(folder)), { recursive: true })
      await Promise.all(
        Array.from({ length: 100 }, (_, file) => writeFile(path.join(many, String(folder), String(file)), `${file}`)),
      )
    }
    const driver = await open(home, 'overlay')
    await driver.create({ id: 'source', disk: { kind: 'folder', path: many }, tier })
    const sealing = performance.now()
    await driver.seal('source', 'many')
    const forking = performance.now()
    await driver.create({ id: 'fork', disk: { kind: 'sealed', diskId: 'many' }, tier })
    const forked = performance.now()
    const probe = await start(driver, 'fork')
    const started = performance.now()
    process.stdout.write(
      `seal ${(forking - sealing).toFixed(1)} ms, fork ${(forked - forking).toFixed(1)} ms, start ${(started - forked).toFixed(1)} ms\n`,
    )
    // A copy takes seconds; this bound only tells the two apart.
    expect(forked - forking).toBeLessThan(500)
    expect((await driver.metrics('fork')).diskBytes).toBeLessThan(100_000)
    expect(await probe.sh('find . -type f | wc -l')).toBe('50000')
    await driver.dispose()
  })

  it.runIf(asRoot)('BX83: a folder of a lower layer is renamed in place', async () => {
    const home = path.join(root, 'renamed')
    const driver = await open(home, 'overlay')
    const nested = path.join(root, 'nested')
    await mkdir(path.join(nested, 'a'), { recursive: true })
    await writeFile(path.join(nested, 'a', 'file'), 'nested')
    await driver.create({ id: 'one', disk: { kind: 'folder', path: nested }, tier })
    await driver.seal('one', 'nested')
    let box = await start(driver, 'one')
    expect((await box.run('node', '-e', 'require("fs").renameSync("a", "b")')).code).toBe(0)
    await driver.stop('one')
    await driver.create({ id: 'two', disk: { kind: 'box', boxId: 'one' }, tier })
    box = await start(driver, 'two')
    expect(await box.sh('ls; cat b/file')).toBe('b\nnested')
    await driver.dispose()
  })
})

describe('choice', () => {
  it('BX84: the store is chosen by trying, and the one that always works is a copy', async () => {
    const options = await storeOptions('choice')
    const works = await Promise.all((['btrfs', 'overlay', 'reflink'] as const).map((kind) => storeWorks(kind, options)))
    const expected = (['btrfs', 'overlay', 'reflink'] as const).find((_, index) => works[index]) ?? 'copy'
    expect((await chooseStore(options)).kind).toBe(expected)
    expect((await readdir(options.home)).filter((name) => name.startsWith('probe'))).toEqual([])
    expect((await chooseStore(options)).kind).toBe(expected)
    await writeFile(path.join(options.home, 'store.json'), JSON.stringify({ kind: 'copy' }))
    expect((await chooseStore(options)).kind).toBe('copy')
    const broken = (['btrfs', 'reflink'] as const).find((kind) => !works[kind === 'btrfs' ? 0 : 2])
    if (broken !== undefined) {
      await writeFile(path.join(options.home, 'store.json'), JSON.stringify({ kind: broken }))
      await expect(chooseStore(options)).rejects.toMatchObject({ code: 'DISK_FAILED' })
    }
    await options.trash.close()
  })

  const kinds = ['btrfs', 'overlay', 'reflink', 'copy'] as const
  it.for(kinds)('BX85: the store %s keeps its contract', async (kind, context) => {
    const options = await storeOptions(`store-${kind}`)
    if (!(await storeWorks(kind, options))) return context.skip(`${kind} does not work in ${root}`)
    const store = makeStore(kind, options)
    await store.open()
    await store.createFromFolder('one', template)
    expect(await store.has('one')).toBe(true)
    await store.seal('one', 'disk', { live: false })
    await store.createFromSealed('two', 'disk')
    await store.createFromBox('three', 'two', { live: true })
    await store.remove('one')
    await store.removeSealed('disk')
    expect([await store.has('one'), await store.has('two'), await store.has('three')]).toEqual([false, true, true])
    const mounted = await store.mount('three')
    if (mounted.kind === 'folder') {
      expect(await readFile(path.join(mounted.path, 'workspace', 'index.js'), 'utf8')).toBe('original\n')
    }
    await options.trash.emptied()
    expect(await readdir(path.join(options.home, 'trash'))).toEqual([])
  })
})

describe('a full disk', () => {
  it.runIf(asRoot)('BX86: create and start say DISK_FULL and leave nothing', async () => {
    const home = path.join(root, 'full')
    await mkdir(home)
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'full', home]).status).toBe(0)
    try {
      for (const store of ['overlay', 'copy'] as const) {
        const driver = await open(home, store)
        const big = path.join(root, 'big')
        await mkdir(big, { recursive: true })
        await writeFile(path.join(big, 'file'), Buffer.alloc(6_000_000))
        const create = (id: string, folder: string): Promise<void> =>
          driver.create({ id, disk: { kind: 'folder', path: folder }, tier })
        await expect(create('big', big)).rejects.toMatchObject({ code: 'DISK_FULL' })
        expect(await readdir(path.join(home, 'boxes'))).toEqual([])
        await create('small', template)
        spawnSync('dd', ['if=/dev/zero', `of=${path.join(home, 'filler')}`, 'bs=4k'])
        await expect(start(driver, 'small')).rejects.toMatchObject({ code: 'DISK_FULL' })
        await expect(create('another', template)).rejects.toMatchObject({ code: 'DISK_FULL' })
        expect(driver.running()).toEqual([])
        expect(await readdir(path.join(home, 'boxes'))).toEqual(['small'])
        await rm(path.join(home, 'filler'))
        expect(await (await start(driver, 'small')).sh('cat index.js')).toBe('original')
        await driver.destroy('small')
        await driver.dispose()
      }
    } finally {
      spawnSync('umount', [home])
    }
  })
})
