import { spawnSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDriver } from './openDriver.ts'
import { removeTree } from './testing/removeTree.ts'
import { standInDevServer } from './testing/standIn.ts'

let root: string

beforeAll(async () => (root = await mkdtemp(path.join(tmpdir(), 'boxyard-open-'))))
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

const probe = (line: string, home: string): string => {
  const script = path.join(import.meta.dirname, 'testing/openAlone.ts')
  const args = ['--user', '--map-root-user', 'sh', '-c', line, 'sh', process.execPath, script, path.join(root, home)]
  return spawnSync('unshare', args, { encoding: 'utf8' }).stdout
}

it('BX48: says how to allow user namespaces where they are switched off', () => {
  const line = 'echo 0 > /proc/sys/user/max_user_namespaces && "$1" --import tsx "$2" "$3"'
  expect(probe(line, 'without')).toContain('NO_DRIVER User namespaces, which boxes need, are switched off.')
})

it('BX48: works for the root of a user namespace that has no other users', () => {
  expect(probe('"$1" --import tsx "$2" "$3"', 'alone')).toContain(
    'works Boxes run rootless, as the user of the server.',
  )
})
