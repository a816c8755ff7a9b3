import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BoxSpec } from '@boxyard/boxes'
import type { Benchmark } from '../benchmark.ts'
import { joinBox } from '../box/joinBox.ts'
import { openBwrap } from '../box/openBwrap.ts'
import { makeFolder } from '../box/makeFolder.ts'

const FILES = 50_000
/** Of a project with that many files most were installed. */
const SOURCES = 2_000
const tier = { cpu: 2, memory: 1024, disk: 4096 }

const benchmark: Benchmark = {
  name: 'box-sleep',
  description: `A box that wakes from its sleep in memory, and a fork of a running box with ${FILES} files, joined.`,
  peer: 'none',
  runs: 10,
  async run({ runs, report }) {
    const root = await mkdtemp(join(tmpdir(), 'boxyard-bench-sleep-'))
    const { driver, keys } = await openBwrap(root, report)
    const create = (id: string, disk: BoxSpec['disk']) => driver.create({ id, disk, tier })
    const start = (id: string, boot: 'CLEAN' | 'FORK') =>
      driver.start(id, { epoch: 1, boot, env: keys.environment, egressSocket: null, onPhase: () => undefined })
    let copies = 0
    const fork = async (of: string): Promise<number> => {
      const id = `copy-${(copies += 1)}`
      const began = performance.now()
      await create(id, { kind: 'box', boxId: of })
      await start(id, 'FORK')
      const client = await joinBox(driver, keys, id)
      const took = performance.now() - began
      client.dispose()
      await driver.destroy(id)
      return took
    }
    try {
      const large = await makeFolder(join(root, 'large'), SOURCES)
      await makeFolder(join(large, 'node_modules'), FILES - SOURCES)
      await create('written', { kind: 'folder', path: large })
      await driver.seal('written', 'large')
      await create('source', { kind: 'sealed', diskId: 'large' })
      await start('source', 'CLEAN')
      const wake: number[] = []
      const joined: number[] = []
      const forks: number[] = []
      await fork('source')
      for (let run = 0; run < runs; run += 1) {
        await driver.hibernate('source')
        const began = performance.now()
        await driver.resume('source')
        wake.push(performance.now() - began)
        const client = await joinBox(driver, keys, 'source')
        joined.push(performance.now() - began)
        client.dispose()
        forks.push(await fork('source'))
        report(
          `woke in ${wake.at(-1)!.toFixed(1)}, joined in ${joined.at(-1)!.toFixed(1)}, fork in ${forks.at(-1)!.toFixed(0)}`,
        )
      }
      await driver.destroy('source')
      // Everything on this one's disk was written since it was made, so a copy while it runs copies file by file.
      await driver.destroy('written')
      await create('written', { kind: 'folder', path: large })
      await start('written', 'CLEAN')
      const written = [await fork('written'), await fork('written'), await fork('written')]
      const time = { unit: 'ms', better: 'smaller', peer: null } as const
      return [
        { ...time, name: 'waking to the first answer', own: wake, budget: { of: 'median', limit: 50 } },
        { ...time, name: 'waking to a joined client', own: joined },
        {
          ...time,
          name: `fork of a running box with ${FILES} files to a joined client`,
          own: forks,
          budget: { of: 'median', limit: 1000 },
        },
        { ...time, name: 'the same, all of them written in the box since it was made', own: written },
      ]
    } finally {
      await driver.dispose()
      await rm(root, { recursive: true, force: true })
    }
  },
}
export default benchmark
