import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createBwrapDriver } from '../bwrap/createBwrapDriver.ts'
import type { BoxDriver } from '../driver.ts'
import { BoxProbe } from '../testing/boxProbe.ts'
import { removeTree } from '../testing/removeTree.ts'
import { standInDevServer } from '../testing/standIn.ts'
import { BoxService } from './boxService.ts'
import { systemClock } from './clock.ts'
import { MemoryBoxStore } from './memoryBoxStore.ts'

let root: string
let driver: BoxDriver
let service: BoxService
const store = new MemoryBoxStore()
const tier = { cpu: 1, memory: 512, disk: 1024 }

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'boxyard-service-'))
  await mkdir(path.join(root, 'template'))
  await writeFile(path.join(root, 'template', 'file'), 'template\n')
  driver = await createBwrapDriver({
    home: path.join(root, 'home'),
    devServer: standInDevServer,
    node: process.execPath,
    log: () => undefined,
  })
  service = new BoxService({ driver, store, clock: systemClock, log: () => undefined })
  await service.open()
})

afterEach(async () => {
  await service.dispose()
  await driver.dispose()
  await removeTree(root)
})

it('BX78: a template is prepared in a box, sealed, forked, crashed and resumed', async () => {
  const prepareTemplate = async (): Promise<null> => {
    await service.create({
      id: 'template-box',
      disk: { kind: 'folder', path: path.join(root, 'template') },
      tier,
      inheritsSetup: false,
    })
    expect(await service.start('template-box', { env: {} })).toMatchObject({ bootType: 'CLEAN' })
    await new BoxProbe(driver, 'template-box').sh('echo installed > installed')
    await service.stop('template-box')
    await service.seal('template-box', 'template-1')
    await service.destroy('template-box')
    return null
  }
  await service.create({ id: 'fork', disk: { kind: 'sealed', diskId: 'template-1' }, tier, inheritsSetup: true })
  const started = await service.start('fork', { env: {}, prepareTemplate })
  expect(started).toMatchObject({ bootType: 'FORK', epoch: 1, run: { id: 'fork', epoch: 1 } })
  expect((await service.progress('fork')).phases.map(({ phase }) => phase)).toEqual([
    'queued',
    'template',
    'preparing-disk',
    'starting-sandbox',
    'starting-dev-server',
    'ready',
  ])
  const probe = new BoxProbe(driver, 'fork')
  expect(await probe.sh('cat file installed')).toBe('template\ninstalled')

  const stopped = new Promise<void>((resolve) => {
    void service.onProgress('fork', ({ state }) => {
      if (state === 'stopped') resolve()
    })
  })
  await Promise.allSettled([probe.sh('echo saved > saved; sync').then(() => probe.endKeeper('KILL')), stopped])
  expect(await service.get('fork')).toMatchObject({ state: 'stopped', stopReason: 'killed' })
  expect(await service.start('fork', { env: {} })).toMatchObject({ bootType: 'RESUME', epoch: 2 })
  expect(await probe.sh('cat saved')).toBe('saved')
  await service.destroy('fork')
  expect(await store.list()).toEqual([])
})
