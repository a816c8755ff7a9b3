import path from 'node:path'
import { createVmDriver } from '../vm/createVmDriver.ts'
import type { VmDriverOptions } from '../vm/createVmDriver.ts'
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

/** Opens the driver once and tells why there are no machines here, or null. What machines boot from is made meanwhile. */
export async function whyNoMachines(home: string): Promise<string | null> {
  const driver = await createVmDriver({ ...machineOptions(home), log: (message) => console.log(message) })
  try {
    const { ok, reasons } = await driver.probe()
    return ok ? null : reasons.join(' ')
  } finally {
    await driver.dispose()
  }
}
