import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createVmDriver } from '@boxyard/boxes'
import type { BoxDriver } from '@boxyard/boxes'
import type { Benchmark } from '../benchmark.ts'
import { firstOutput } from '../box/firstOutput.ts'
import { BoxKeys } from '../boxKeys.ts'
import { buildDevServer } from '../buildDevServer.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
/** Where the tests keep what machines boot from. */
const machines = {
  images: path('../../node_modules/.cache/boxyard-machines'),
  guest: path('../../packages/boxes/src/vm/guest'),
}
const TIER = { cpu: 1, memory: 512, disk: 1024 }
const time = { unit: 'ms', better: 'smaller', peer: null } as const

const benchmark: Benchmark = {
  name: 'box-machine',
  description: 'Boxes as virtual machines of 512 MB: start from the memory of a booted one, sleep on disk, wake, fork.',
  peer: 'none: QEMU is what is under it',
  runs: 5,
  async run({ runs, report }) {
    const root = await mkdtemp(join(tmpdir(), 'boxyard-bench-machine-'))
    const devServer = await buildDevServer()
    const driver = await createVmDriver({
      home: join(root, 'boxes'),
      ...machines,
      devServer,
      log: report,
    })
    const keys = await BoxKeys.generate()
    const folder = join(root, 'project')
    try {
      const probe = await driver.probe()
      report(probe.reasons.join(' '))
      if (!probe.ok) throw new Error(`There are no machines here: ${probe.reasons.join(' ')}`)
      await mkdir(folder)
      await writeFile(join(folder, 'index.js'), 'export const a = 1\n')
      await firstOutput(driver, keys, 'warm', { kind: 'folder', path: folder })
      const made: number[] = []
      const guests: number[] = []
      const outputs: number[] = []
      const asleep: number[] = []
      const awake: number[] = []
      const forked: number[] = []
      const alive: number[] = []
      for (let run = 0; run < runs; run += 1) {
        const id = `box-${run}`
        const { disk, output } = await firstOutput(driver, keys, `first-${run}`, { kind: 'folder', path: folder })
        made.push(disk)
        outputs.push(output)
        await driver.create({ id, disk: { kind: 'folder', path: folder }, tier: TIER })
        guests.push(await startOf(driver, keys, id))
        asleep.push(await took(() => driver.hibernate(id)))
        awake.push(await took(() => driver.resume(id)))
        forked.push(
          await took(() => driver.create({ id: `fork-${run}`, disk: { kind: 'box', boxId: id }, tier: TIER })),
        )
        const live = `alive-${run}`
        alive.push(
          await took(async () => {
            await driver.create({ id: live, disk: { kind: 'box', boxId: id, memory: true }, tier: TIER })
            await start(driver, keys, live, 'FORK')
          }),
        )
        report(
          `disk ${made.at(-1)?.toFixed()}, guest ${guests.at(-1)?.toFixed()}, output ${outputs.at(-1)?.toFixed()}, ` +
            `asleep ${asleep.at(-1)?.toFixed()}, awake ${awake.at(-1)?.toFixed()}, fork ${forked.at(-1)?.toFixed()}, with processes ${alive.at(-1)?.toFixed()} ms`,
        )
        await driver.destroy(`fork-${run}`)
        await driver.destroy(live)
        await driver.destroy(id)
      }
      return [
        {
          ...time,
          name: 'copy of a booted machine until its agent has started the dev server',
          own: guests,
          budget: { of: 'median', limit: 800 },
        },
        { ...time, name: 'create to first output of a command', own: outputs },
        { ...time, name: 'hibernate to disk', own: asleep, budget: { of: 'median', limit: 1000 } },
        {
          ...time,
          name: 'resume from disk until the dev server answers',
          own: awake,
          budget: { of: 'median', limit: 1500 },
        },
        { ...time, name: 'fork of the disk of a running machine', own: forked },
        { ...time, name: 'fork of a running machine with its processes until they go on', own: alive },
        { ...time, name: 'disk from a folder', own: made },
      ]
    } finally {
      await driver.dispose()
      await rm(root, { recursive: true, force: true })
    }
  },
}
export default benchmark

/** Starts a box; the time until its guest has answered and its dev server begins to start. */
async function startOf(driver: BoxDriver, keys: BoxKeys, id: string): Promise<number> {
  const from = performance.now()
  let answered = Number.NaN
  await start(driver, keys, id, 'CLEAN', (phase) => {
    if (phase === 'starting-dev-server') answered = performance.now() - from
  })
  return answered
}

async function start(
  driver: BoxDriver,
  keys: BoxKeys,
  id: string,
  boot: 'CLEAN' | 'FORK',
  onPhase: (phase: string) => void = () => undefined,
): Promise<void> {
  await driver.start(id, { epoch: 1, boot, env: keys.environment, egressSocket: null, onPhase })
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}
