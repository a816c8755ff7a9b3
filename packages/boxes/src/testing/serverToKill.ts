/**
 * A server with one running box, for the tests that kill it. Arguments: the driver, the folder of boxes, the template, and `asleep` to put
 * the box to sleep. Prints a
 * line of JSON when the box runs.
 */
import { BoxProbe } from './boxProbe.ts'
import { openKind } from './openKind.ts'

const [kind, home, template, state] = process.argv.slice(2)
if (home === undefined || template === undefined) throw new Error('a driver and two folders are needed')
const driver = await openKind(kind, home)
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
