import process from 'node:process'
import { driverContract } from '../testing/driverContract.ts'
import { standInDevServer } from '../testing/standIn.ts'
import { createBwrapDriver } from './createBwrapDriver.ts'

// As root this file goes on as an ordinary user; it has a process of its own. As an ordinary user the contract already runs rootless.
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(64_321)
  process.setuid?.(64_321)
}

driverContract('bwrap-rootless', {
  open: (home, deadlines) =>
    createBwrapDriver({
      home,
      devServer: standInDevServer,
      node: process.execPath,
      log: () => undefined,
      cgroups: null,
      ...(deadlines === undefined ? {} : { deadlines }),
    }),
  lacks: [
    ...(['memorySnapshot', 'memoryFork', 'resizeOnline', 'sharedTrees'] as const),
    ...(['hardLimits', 'strongIsolation', 'multiNode'] as const),
  ],
})
