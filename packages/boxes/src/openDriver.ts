import type { BwrapDriverOptions } from './bwrap/createBwrapDriver.ts'
import { createBwrapDriver } from './bwrap/createBwrapDriver.ts'
import type { BoxDriver, DriverProbe } from './driver.ts'
import { BoxError } from './errors.ts'
import { createProcessDriver } from './process/createProcessDriver.ts'

export const driverKinds = ['bwrap', 'process'] as const
/** `process` has no isolation: only what a person has asked for explicitly may lead to it. */
export type DriverKind = (typeof driverKinds)[number]

/** Opens a driver and proves that it works here. Fails with NO_DRIVER and the reasons; there is no silent substitute. */
export async function openDriver(
  kind: DriverKind,
  options: Pick<BwrapDriverOptions, 'home' | 'devServer' | 'node' | 'log'>,
): Promise<{ driver: BoxDriver; probe: DriverProbe }> {
  const driver = await (kind === 'process' ? createProcessDriver(options) : createBwrapDriver(options))
  const probe = await driver.probe()
  if (probe.ok) return { driver, probe }
  await driver.dispose()
  throw new BoxError('NO_DRIVER', probe.reasons.join(' '))
}
