import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openDriver } from './openDriver.ts'
import { removeTree } from './testing/removeTree.ts'
import { standInDevServer } from './testing/standIn.ts'

const hostPath = process.env['PATH']
let root: string

beforeAll(async () => (root = await mkdtemp(path.join(tmpdir(), 'boxyard-open-'))))
afterEach(() => (process.env['PATH'] = hostPath))
afterAll(() => removeTree(root))

it.each(['bwrap', 'process'] as const)('BX48: opens %s with the proof that it works', async (kind) => {
  const options = {
    home: path.join(root, kind),
    devServer: standInDevServer,
    node: process.execPath,
    log: () => undefined,
  }
  const { driver, probe } = await openDriver(kind, options)
  expect(driver.name).toBe(kind)
  expect(probe).toMatchObject({ ok: true, isolation: kind === 'process' ? 'none' : 'namespace' })
  await driver.dispose()
})

it('BX48: refuses a driver that does not work, with what to do', async () => {
  const options = {
    home: path.join(root, 'refused'),
    devServer: standInDevServer,
    node: '/missing/node',
    log: () => undefined,
  }
  await expect(openDriver('process', options)).rejects.toMatchObject({
    code: 'NO_DRIVER',
    detail: expect.stringContaining('/missing/node'),
  })
})
