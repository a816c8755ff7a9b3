import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { it } from 'vitest'
import type { BoxCapability } from '../driver.ts'
import { driverContract } from '../testing/driverContract.ts'
import { machineOptions, whyNoMachines } from '../testing/machines.ts'
import { removeTree } from '../testing/removeTree.ts'
import { createVmDriver } from './createVmDriver.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'boxyard-machines-'))
const reason = await whyNoMachines(folder)
const isolated = reason === null && (await isStrong())
await removeTree(folder)

async function isStrong(): Promise<boolean> {
  const driver = await createVmDriver(machineOptions(folder))
  try {
    return (await driver.probe()).capabilities.has('strongIsolation')
  } finally {
    await driver.dispose()
  }
}

if (reason === null) {
  driverContract('vm', {
    open: (home, deadlines) =>
      createVmDriver(
        machineOptions(
          home,
          // Where instructions are translated, one second is not even enough for the program to be read.
          deadlines === undefined
            ? undefined
            : { sandbox: 120_000, devServer: isolated ? deadlines.devServer : 20_000 },
        ),
      ),
    lacks: [
      'updateOnline',
      'sharedTrees',
      ...(isolated ? [] : (['strongIsolation'] satisfies BoxCapability[])),
      'multiNode',
    ],
  })
} else {
  it.skip(`virtual machines are not tested: ${reason}`)
}
