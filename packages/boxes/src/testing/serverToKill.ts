/**
 * A server with one running box, for the tests that kill it. Arguments: the driver, the folder of boxes, the template, and `asleep` to put
 * the box to sleep. Prints a
 * line of JSON when the box runs.
 */
import { createBwrapDriver } from '../bwrap/createBwrapDriver.ts'
import { createProcessDriver } from '../process/createProcessDriver.ts'
import { createVmDriver } from '../vm/createVmDriver.ts'
import { BoxProbe } from './boxProbe.ts'
import { machineOptions } from './machines.ts'
import { standInDevServer } from './standIn.ts'

const [kind, home, template, state] = process.argv.slice(2)
if (home === undefined || template === undefined) throw new Error('a driver and two folders are needed')
const options = { home, devServer: standInDevServer, node: process.execPath, log: () => undefined }
const open = {
  bwrap: () => createBwrapDriver(options),
  process: () => createProcessDriver(options),
  vm: () => createVmDriver(machineOptions(home)),
}
const driver = await open[kind === 'process' || kind === 'vm' ? kind : 'bwrap']()
await driver.create({
  id: 'orphan',
  disk: { kind: 'folder', path: template },
  tier: { cpu: 1, memory: 512, disk: 1024 },
})
await driver.seal('orphan', 'layered')
await driver.start('orphan', { epoch: 1, boot: 'CLEAN', env: {}, egressSocket: null, onPhase: () => undefined })
const probe = new BoxProbe(driver, 'orphan')
// Out of the session and the process group of the dev server, and without a parent that it knows.
await probe.sh('echo acknowledged > kept; (setsid sleep 100000 > /dev/null 2>&1 &); sync')
if (state === 'asleep') await driver.hibernate('orphan')
process.stdout.write(`${JSON.stringify({ processes: (await driver.metrics('orphan')).processes })}\n`)
setInterval(() => undefined, 60_000)
