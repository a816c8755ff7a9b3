import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBwrapDriver, createProcessDriver } from '@boxyard/boxes'
import type { BoxDriver, DiskSource } from '@boxyard/boxes'
import type { Benchmark } from '../benchmark.ts'
import { bareOutput } from '../box/bareOutput.ts'
import { firstOutput } from '../box/firstOutput.ts'
import type { Steps } from '../box/firstOutput.ts'
import { makeFolder } from '../box/makeFolder.ts'
import { BoxKeys } from '../boxKeys.ts'
import { buildDevServer } from '../buildDevServer.ts'
import { runProgram } from '../runProgram.ts'

const FILES = 50_000
/** Of a project with that many files most were installed. */
const SOURCES = 2_000
const withoutSandboxName = 'the same without a sandbox (process driver)'

const benchmark: Benchmark = {
  name: 'box-start',
  description: `A box from its creation, as a copy of the disk of a template, to the first output of a command, and copies of a disk of ${FILES} files.`,
  peer: `${withoutSandboxName}; node in a bare bwrap; cp -a --reflink=auto`,
  runs: 10,
  async run({ runs, report }) {
    const root = await mkdtemp(join(tmpdir(), 'boxyard-bench-box-'))
    const devServer = await buildDevServer()
    const options = (name: string) => ({ home: join(root, name), devServer, node: process.execPath, log: report })
    const bwrap = await createBwrapDriver(options('bwrap'))
    const bare = await createProcessDriver(options('process'))
    const keys = await BoxKeys.generate()
    try {
      const probe = await bwrap.probe()
      report(probe.reasons.join(' '))
      const small = await makeFolder(join(root, 'small'), 20)
      const large = await makeFolder(join(root, 'large'), SOURCES)
      await makeFolder(join(large, 'node_modules'), FILES - SOURCES)
      const sealed = await seal(bwrap, 'large', large)
      const template = await seal(bwrap, 'small', small)
      const templateOfBare = await seal(bare, 'small', small)

      let boxes = 0
      const measure = (driver: BoxDriver, disk: DiskSource) => firstOutput(driver, keys, `box-${(boxes += 1)}`, disk)
      const own: Steps[] = []
      const withoutSandbox: Steps[] = []
      const floor: number[] = []
      const forks: Steps[] = []
      const copies: number[] = []
      await measure(bwrap, template)
      await measure(bare, templateOfBare)
      for (let run = 0; run < runs; run += 1) {
        own.push(await measure(bwrap, template))
        withoutSandbox.push(await measure(bare, templateOfBare))
        floor.push(await bareOutput())
        forks.push(await measure(bwrap, sealed))
        if (run % 5 === 0) copies.push(await copy(large, join(root, 'copy')))
        report(`create ${stepsOf(own.at(-1)!)}; fork ${stepsOf(forks.at(-1)!)}`)
      }
      const outputs = (steps: readonly Steps[]) => steps.map(({ output }) => output)
      const time = { unit: 'ms', better: 'smaller' } as const
      return [
        {
          ...time,
          name: 'create to first output',
          own: outputs(own),
          peer: { name: withoutSandboxName, samples: outputs(withoutSandbox) },
          budget: { of: 'median', limit: 300 },
        },
        { ...time, name: 'the same', own: outputs(own), peer: { name: 'node in a bare bwrap', samples: floor } },
        {
          ...time,
          name: `copy of a disk of ${FILES} files`,
          own: forks.map(({ disk }) => disk),
          peer: { name: 'cp -a --reflink=auto', samples: copies },
          budget: { of: 'median', limit: 100 },
        },
        { ...time, name: `fork of ${FILES} files to first output`, own: outputs(forks), peer: null },
      ]
    } finally {
      await bwrap.dispose()
      await bare.dispose()
      await rm(root, { recursive: true, force: true })
    }
  },
}
export default benchmark

/** A disk as templates have it. */
async function seal(driver: BoxDriver, name: string, folder: string): Promise<DiskSource> {
  const [id, diskId] = [`source-${name}`, `bench-${name}`]
  await driver.create({
    id,
    disk: { kind: 'folder', path: folder },
    tier: { cpu: 1, memory: 512, disk: 4096 },
  })
  await driver.seal(id, diskId)
  return { kind: 'sealed', diskId }
}

async function copy(from: string, to: string): Promise<number> {
  const start = performance.now()
  await runProgram('cp', ['-a', '--reflink=auto', from, to], { cwd: '/' })
  const took = performance.now() - start
  await rm(to, { recursive: true })
  return took
}

function stepsOf(steps: Steps): string {
  return Object.entries(steps)
    .map(([step, ms]: [string, number]) => `${step} ${ms.toFixed(0)}`)
    .join(', ')
}
