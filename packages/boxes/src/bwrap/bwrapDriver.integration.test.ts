import { CgroupHost } from '../cgroup/cgroupHost.ts'
import { driverContract } from '../testing/driverContract.ts'
import { standInDevServer } from '../testing/standIn.ts'
import { createBwrapDriver } from './createBwrapDriver.ts'

const limited = (await CgroupHost.open('/nowhere')).describe().hard

driverContract('bwrap', {
  open: (home, deadlines) =>
    createBwrapDriver({
      home,
      devServer: standInDevServer,
      node: process.execPath,
      log: () => undefined,
      ...(deadlines === undefined ? {} : { deadlines }),
    }),
  lacks: [
    'memorySnapshot',
    'memoryFork',
    ...(limited ? [] : (['resizeOnline', 'hardLimits'] as const)),
    ...(process.getuid?.() === 0 ? [] : (['sharedTrees'] as const)),
    'strongIsolation',
    'multiNode',
  ],
})
