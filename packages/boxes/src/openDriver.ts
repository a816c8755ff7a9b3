import { boxPaths } from './boxContract.ts'
import type { BwrapDriverOptions } from './bwrap/createBwrapDriver.ts'
import { createBwrapDriver } from './bwrap/createBwrapDriver.ts'
import type { BoxDriver, DriverProbe } from './driver.ts'
import { BoxError } from './errors.ts'
import { createProcessDriver } from './process/createProcessDriver.ts'
import { createVmDriver } from './vm/createVmDriver.ts'
import type { VmDriverOptions } from './vm/createVmDriver.ts'

export const driverKinds = ['bwrap', 'vm', 'process'] as const
/** `process` has no isolation: only what a person has asked for explicitly may lead to it. */
export type DriverKind = (typeof driverKinds)[number]

export interface OpenDriverOptions extends Pick<BwrapDriverOptions, 'home' | 'devServer' | 'node' | 'log' | 'shared'> {
  /** What the driver `vm` needs beside the others. */
  machines?: Pick<VmDriverOptions, 'images' | 'guest'>
}

/** Opens a driver and proves that it works here. Fails with NO_DRIVER and the reasons; there is no silent substitute. */
export async function openDriver(
  kind: DriverKind,
  options: OpenDriverOptions,
): Promise<{ driver: BoxDriver; probe: DriverProbe }> {
  const driver = await create(kind, options)
  const probe = await driver.probe()
  if (probe.ok) return { driver, probe }
  await driver.dispose()
  throw new BoxError('NO_DRIVER', probe.reasons.join(' '))
}

function create(kind: DriverKind, options: OpenDriverOptions): Promise<BoxDriver> {
  if (kind === 'process') return createProcessDriver(options)
  if (kind === 'bwrap') return createBwrapDriver(options)
  if (options.machines === undefined) throw new TypeError('machines need to know what they boot from')
  return createVmDriver({ ...options, ...options.machines })
}

/** Where a box of this kind sees the folder with programs that all boxes share, or null where it has none. */
export function sharedInBox(kind: DriverKind, shared: string): string | null {
  if (kind === 'process') return shared
  return kind === 'bwrap' ? boxPaths.shared : null
}
