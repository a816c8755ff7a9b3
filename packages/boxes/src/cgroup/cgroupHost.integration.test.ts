import { mkdir, mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeTree } from '../testing/removeTree.ts'
import { BoxCgroup } from './boxCgroup.ts'
import { CgroupHost } from './cgroupHost.ts'

const tier = { cpu: 0.5, memory: 256, disk: 1 }
let root: string

beforeAll(async () => (root = await mkdtemp(path.join(tmpdir(), 'boxyard-cgroup-'))))
afterAll(() => removeTree(root))

/** A folder with files as the kernel would make them. */
async function group(name: string, files: Record<string, string>): Promise<string> {
  const folder = path.join(root, name)
  await mkdir(folder, { recursive: true })
  for (const [file, content] of Object.entries(files)) await writeFile(path.join(folder, file), content)
  return folder
}

describe('BX94: limits', () => {
  it('BX94: are written in the words of version 2', async () => {
    const folder = await group('v2', {
      'cpu.max': 'max 100000',
      'memory.max': 'max',
      'memory.swap.max': 'max',
      'pids.max': 'max',
      'cpu.stat': 'usage_usec 1234\nuser_usec 1000\n',
      'memory.current': '4096\n',
      'pids.current': '3\n',
    })
    const all = { version: 2, folder } as const
    const box = new BoxCgroup({ cpu: all, account: all, memory: all, pids: all, freezer: all })
    await box.limit(0.5, 1024, 7)
    const read = (file: string): Promise<string> => readFile(path.join(folder, file), 'utf8')
    expect((await read('cpu.max')).slice(0, 12)).toBe('50000 100000')
    expect(await read('memory.max')).toMatch(/^1024/)
    expect(await read('memory.swap.max')).toMatch(/^0/)
    expect(await read('pids.max')).toMatch(/^7/)
    expect(box.enterFiles).toEqual([path.join(folder, 'cgroup.procs')])
    expect(await box.usage()).toEqual({ cpuUsec: 1234, memoryBytes: 4096, memoryLimitBytes: 1024, processes: 3 })
  })

  it('BX94: are not claimed where groups can not be made, and the reason is given', async () => {
    const missing = path.join(root, 'missing')
    const host = await CgroupHost.open('/home', { v1: { memory: missing, pids: missing }, v2: null })
    const { hard, reasons } = host.describe()
    expect(hard).toBe(false)
    expect(reasons.join('\n')).toContain('do not limit processor, memory, processes')
    expect(reasons.join('\n')).toContain(missing)
    const box = await host.create('one', tier, 10)
    expect(box.limits).toEqual({ cpu: false, memory: false, processes: false, disk: false })
    expect(box.enterFiles).toEqual([])
    expect(await box.usage()).toBeNull()
  })

  it('BX94: of version 2 are used only for controllers that are offered', async () => {
    const folder = await group('offered', {
      'cgroup.controllers': 'cpuset cpu\n',
      'cgroup.subtree_control': '',
    })
    const host = await CgroupHost.open('/home', { v1: {}, v2: folder })
    expect(host.describe()).toMatchObject({ hard: false })
    expect(await readFile(path.join(folder, 'cgroup.subtree_control'), 'utf8')).toBe('+cpu')
    expect((await readdir(folder)).toSorted()).toEqual(['cgroup.controllers', 'cgroup.subtree_control'])
  })

  it('BX94: are held on this machine as far as it allows', async (context) => {
    const home = path.join(root, 'home')
    const host = await CgroupHost.open(home)
    if (!host.describe().hard) return context.skip(host.describe().reasons.join(' '))
    const box = await host.create('one', tier, 10)
    expect(box.limits).toEqual({ cpu: true, memory: true, processes: true, disk: false })
    expect(await box.usage()).toMatchObject({ memoryLimitBytes: 256 * 1024 * 1024, processes: 0 })
    expect((await host.existing()).length).toBeGreaterThan(0)
    await box.freeze()
    await box.thaw()
    await host.removeStale()
    expect(await host.existing()).toEqual([])
  })
})
