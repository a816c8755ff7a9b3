import { boxCapabilities } from '../driver.ts'
import { driverContract } from '../testing/driverContract.ts'
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
