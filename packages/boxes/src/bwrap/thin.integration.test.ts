import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createBwrapDriver } from './createBwrapDriver.ts'

it('starts a box from a folder, connects and stops', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'boxes-'))
  const folder = path.join(home, 'src')
  await mkdir(folder)
  await writeFile(path.join(folder, 'hello.txt'), 'hello')
  const driver = await createBwrapDriver({
    home: path.join(home, 'h'),
    devServer: path.join(import.meta.dirname, '../testing/standInDevServer'),
    node: process.execPath,
    log: () => undefined,
    cgroups: null,
  })
  await driver.create({ id: 'one', disk: { kind: 'folder', path: folder }, tier: { cpu: 1, memory: 512, disk: 1000 } })
  const phases: string[] = []
  const onPhase = (phase: string): void => void phases.push(phase)
  await driver.start('one', { epoch: 1, boot: 'CLEAN', env: {}, egressSocket: null, onPhase })
  expect(phases).toEqual(['preparing-disk', 'starting-sandbox', 'starting-dev-server'])
  ;(await driver.connect('one')).destroy()
  await expect(driver.dial('one', 4000)).rejects.toMatchObject({ code: 'PORT_CLOSED' })
  await driver.stop('one')
  expect(await driver.log('one')).toContain('stand-in starts as CLEAN in epoch 1')
  await driver.dispose()
  await rm(home, { recursive: true })
})
