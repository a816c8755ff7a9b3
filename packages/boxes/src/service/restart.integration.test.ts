import { mkdir, mkdtemp, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'boxyard-restart-'))
  await mkdir(path.join(root, 'template'))
  await writeFile(path.join(root, 'template', 'index.js'), 'template\n')
  const log = (): void => undefined
  driver = await createBwrapDriver({
    home: path.join(root, 'home'),
    devServer: standInDevServer,
    node: process.execPath,
    log,
  })
  service = new BoxService({ driver, store: new MemoryBoxStore(), clock: systemClock, log })
  await service.open()
})

afterAll(async () => {
  await service.dispose()
  await driver.dispose()
  await removeTree(root)
})

async function startedBox(id: string): Promise<BoxProbe> {
  const tier = { cpu: 1, memory: 512, disk: 1024 }
  await service.create({
    id,
    disk: { kind: 'folder', path: path.join(root, 'template') },
    tier,
    inheritsSetup: false,
  })
  await service.start(id, { env: {} })
  const probe = new BoxProbe(driver, id)
  await probe.sh('echo saved > saved; sync; echo lost > /tmp/lost; (setsid sleep 100000 > /dev/null 2>&1 &)')
  return probe
}

async function expectAnew(probe: BoxProbe): Promise<void> {
  expect(await probe.sh('cat index.js saved')).toBe('template\nsaved')
  expect((await probe.run('test', '-e', '/tmp/lost')).code).toBe(1)
  expect(await probe.sh('cat /proc/[0-9]*/comm')).not.toContain('sleep')
}

it('BX430: a restart makes a box anew whose dev server does not answer any more', async () => {
  const probe = await startedBox('hanging')
  // Nobody is left to answer this request.
  const unanswered = probe.sh('kill -STOP $PPID').catch(() => null)
  const restarted = await service.restart('hanging', { env: {}, clean: true })
  expect(restarted).toMatchObject({ bootType: 'CLEAN', epoch: 2 })
  await unanswered
  await expectAnew(probe)
  expect(driver.running().filter(({ id }) => id === 'hanging')).toMatchObject([{ epoch: 2 }])
})

it('BX431: a restart makes a box anew that sleeps, does not run or failed to start', async () => {
  const probe = await startedBox('several')
  await service.hibernate('several')
  expect(await service.restart('several', { env: {}, clean: true })).toMatchObject({ bootType: 'CLEAN', epoch: 2 })
  await expectAnew(probe)

  await service.stop('several')
  expect(await service.restart('several', { env: {} })).toMatchObject({ bootType: 'RESUME', epoch: 3 })
  await service.stop('several')

  // Its disk can not be mounted: the start fails, is tried again, and says so.
  const disk = path.join(root, 'home', 'boxes', 'several')
  await rename(disk, `${disk}-away`)
  await expect(service.start('several', { env: {} })).rejects.toMatchObject({ code: 'BOX_NOT_FOUND' })
  expect(await service.progress('several')).toMatchObject({ state: 'error', failure: { phase: 'preparing-disk' } })
  await rename(`${disk}-away`, disk)
  const again = await service.restart('several', { env: {}, clean: true })
  expect(again.bootType).toBe('CLEAN')
  await expectAnew(probe)
})
