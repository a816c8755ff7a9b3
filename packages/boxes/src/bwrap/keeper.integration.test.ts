import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BoxDriver, BoxExit } from '../driver.ts'
import { BoxProbe } from '../testing/boxProbe.ts'
import { removeTree } from '../testing/removeTree.ts'
import { standInDevServer } from '../testing/standIn.ts'
import { createBwrapDriver } from './createBwrapDriver.ts'

let root: string
let driver: BoxDriver

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'boxyard-keeper-'))
  const template = path.join(root, 'template')
  await mkdir(template)
  await writeFile(path.join(template, 'file'), 'template\n')
  const log = (): void => undefined
  driver = await createBwrapDriver({
    home: path.join(root, 'home'),
    devServer: standInDevServer,
    node: process.execPath,
    log,
  })
  const tier = { cpu: 1, memory: 512, disk: 1024 }
  await driver.create({ id: 'one', disk: { kind: 'folder', path: template }, tier })
})

afterAll(async () => {
  await driver.dispose()
  await removeTree(root)
})

function start(epoch: number): ReturnType<BoxDriver['start']> {
  return driver.start('one', { epoch, boot: 'CLEAN', env: {}, egressSocket: null, onPhase: () => undefined })
}

it('BX722: what a dev server started ends with it, so that the next one finds its ports free', async () => {
  await start(1)
  const probe = new BoxProbe(driver, 'one')
  await probe.sh('setsid sleep 1000 >&- 2>&- & echo $! > "$BOXYARD_STATE/pid"')
  expect(await probe.sh('kill -0 $(cat "$BOXYARD_STATE/pid") && echo lives')).toBe('lives')
  await probe.endDevServer('KILL')
  expect((await probe.run('sh', '-c', 'kill -0 $(cat "$BOXYARD_STATE/pid")')).code).not.toBe(0)
  await driver.stop('one')
})

it('BX725: a dev server that ends again and again is given more time each time, and then up', async () => {
  await start(2)
  const exit = new Promise<BoxExit>((resolve) => driver.onExit(resolve))
  const probe = new BoxProbe(driver, 'one')
  for (let ends = 0; ends < 5; ends += 1) await probe.endDevServer('KILL')
  expect(await exit).toMatchObject({
    id: 'one',
    epoch: 2,
    reason: 'failed',
    log: expect.stringContaining('It ended 5 times with less than a minute in between, and is not started again.'),
  })
  expect(driver.running()).toEqual([])
  await start(3)
  expect(await probe.sh('cat file')).toBe('template')
})
