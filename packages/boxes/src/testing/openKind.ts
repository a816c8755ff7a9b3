import { createBwrapDriver } from '../bwrap/createBwrapDriver.ts'
import type { BoxDriver } from '../driver.ts'
import { createProcessDriver } from '../process/createProcessDriver.ts'
import { createVmDriver } from '../vm/createVmDriver.ts'
import { machineOptions } from './machines.ts'
import { standInDevServer } from './standIn.ts'

export type DriverKind = 'bwrap' | 'process' | 'vm'

/** Opens a driver with the stand-in dev server. */
export function openKind(kind: string | undefined, home: string): Promise<BoxDriver> {
  const options = { home, devServer: standInDevServer, node: process.execPath, log: () => undefined }
  if (kind === 'bwrap') return createBwrapDriver(options)
  if (kind === 'process') return createProcessDriver(options)
  if (kind === 'vm') return createVmDriver(machineOptions(home))
  throw new Error(`there is no driver ${kind}`)
}
