/** Opens the bwrap driver on the folder given and prints whether it works, and why, for tests that restrict a process first. */
import { BoxError } from '../errors.ts'
import { openDriver } from '../openDriver.ts'
import { standInDevServer } from './standIn.ts'

const [home = ''] = process.argv.slice(2)
try {
  const options = { home, devServer: standInDevServer, node: process.execPath, log: () => undefined }
  const { driver, probe } = await openDriver('bwrap', options)
  await driver.dispose()
  process.stdout.write(`works ${probe.reasons.join(' ')}\n`)
} catch (error) {
  if (!(error instanceof BoxError)) throw error
  process.stdout.write(`${error.code} ${error.detail}\n`)
}
