import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { boxCapabilities } from '../driver.ts'
import { driverContract } from '../testing/driverContract.ts'
import { isAlive, processTree } from '../processTree.ts'
import { removeTree } from '../testing/removeTree.ts'
import { standInDevServer } from '../testing/standIn.ts'
import { createProcessDriver } from './createProcessDriver.ts'

driverContract('process', {
  open: (home, deadlines) =>
    createProcessDriver({
      home,
      devServer: standInDevServer,
      node: process.execPath,
      log: () => undefined,
      ...(deadlines === undefined ? {} : { deadlines }),
    }),
  lacks: boxCapabilities,
})

it.runIf(process.platform === 'linux')(
  'BX47: a run that outlived kill -9 of the server is ended by the next server',
  async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'boxyard-process-'))
    const home = path.join(root, 'home')
    const template = path.join(root, 'template')
    await mkdir(template)
    const script = path.join(import.meta.dirname, '../testing/serverToKill.ts')
    const server = spawn(process.execPath, ['--import', 'tsx', script, 'process', home, template], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(createInterface({ input: server.stdout }), 'line')
    const children = (await processTree(server.pid ?? 0)).filter(({ parent }) => parent === server.pid)
    server.kill('SIGKILL')
    await once(server, 'exit')
    expect(await Promise.all(children.map(({ pid }) => isAlive(pid)))).toContain(true)
    const driver = await createProcessDriver({
      home,
      devServer: standInDevServer,
      node: process.execPath,
      log: () => undefined,
    })
    for (const { pid } of children) while (await isAlive(pid)) await new Promise((resolve) => setImmediate(resolve))
    await driver.start('orphan', { epoch: 2, boot: 'RESUME', env: {}, egressSocket: null, onPhase: () => undefined })
    await driver.dispose()
    await removeTree(root)
  },
)
