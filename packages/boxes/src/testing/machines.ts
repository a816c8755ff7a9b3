import path from 'node:path'
import { createVmDriver } from '../vm/createVmDriver.ts'
import type { VmDriverOptions } from '../vm/createVmDriver.ts'
import { machineRequirements } from '../vm/machineRequirements.ts'
import { standInDevServer } from './standIn.ts'

const packageFolder = path.join(import.meta.dirname, '../..')

/** Where tests keep what machines boot from, over all runs on a checkout: it is the same for each of them. */
export const machineImages = path.join(packageFolder, '../../node_modules/.cache/boxyard-machines')

export const guestSources = path.join(packageFolder, 'src/vm/guest')

/** Options of the `vm` driver with the stand-in dev server. */
export function machineOptions(home: string, deadlines?: VmDriverOptions['deadlines']): VmDriverOptions {
  return {
    home,
    images: machineImages,
    guest: guestSources,
    devServer: standInDevServer,
    log: () => undefined,
    ...(deadlines === undefined ? {} : { deadlines }),
  }
}

const SLOW = 'without KVM they take many minutes; set TEST_MACHINES=yes to run them'

/**
 * Opens the driver once and tells why machines are not tested here, or null. What machines boot from is made meanwhile. Where instructions
 * are translated that takes many minutes and has to be asked for.
 */
export async function whyNoMachines(home: string): Promise<string | null> {
  const { missing, hardware } = await machineRequirements()
  if (missing.length > 0) return missing.join(' ')
  const isAsked = Boolean(process.env['TEST_MACHINES'])
  if (!hardware && !isAsked) return SLOW
  const driver = await createVmDriver({ ...machineOptions(home), log: (message) => console.log(message) })
  try {
    const { ok, reasons, capabilities } = await driver.probe()
    if (!ok) return reasons.join(' ')
    // There may be a KVM on which no guest boots.
    return isAsked || capabilities.has('strongIsolation') ? null : SLOW
  } finally {
    await driver.dispose()
  }
}
