import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Benchmark } from '../benchmark.ts'
import { joinBox } from '../box/joinBox.ts'
import { openBwrap } from '../box/openBwrap.ts'
import { typistOf } from '../keystroke/boxyardTyping.ts'
import { SOURCE, typeSteadily } from '../keystroke/typing.ts'

const BOXES = 50
const PER_SECOND = 10
const TYPING_MS = 10_000
/** Two boxes are started at a time, as the server does on two cores. */
const AT_ONCE = 2
const alone = 'the same box before the others were started'
const tier = { cpu: 2, memory: 1024, disk: 4096 }

const benchmark: Benchmark = {
  name: 'idle-boxes',
  description: `Memory of each of ${BOXES} idle boxes, and a keystroke in one more box beside them.`,
  peer: alone,
  runs: 5,
  async run({ runs, report }) {
    const root = await mkdtemp(join(tmpdir(), 'boxyard-bench-idle-'))
    const { driver, keys } = await openBwrap(root, report)
    const project = join(root, 'project')
    await mkdir(project)
    await writeFile(join(project, 'document.txt'), SOURCE)
    const startBox = async (id: string): Promise<void> => {
      await driver.create({ id, disk: { kind: 'folder', path: project }, tier })
      const env = keys.environment
      await driver.start(id, { epoch: 1, boot: 'CLEAN', env, egressSocket: null, onPhase: () => undefined })
    }
    try {
      await startBox('active')
      const client = await joinBox(driver, keys, 'active')
      const typist = await typistOf(client, 'document.txt')
      const type = () => typeSteadily([typist], PER_SECOND, TYPING_MS)
      await type()
      const before: number[] = []
      for (let run = 0; run < runs; run += 1) before.push(...(await type()))
      const memory = await proportionalBytes(root)
      let next = 0
      const startNext = async (): Promise<void> => {
        for (let box = next++; box < BOXES; box = next++) await startBox(`idle-${box}`)
      }
      const began = performance.now()
      await Promise.all(Array.from({ length: AT_ONCE }, startNext))
      report(`${BOXES} boxes started in ${((performance.now() - began) / 1000).toFixed(1)} s`)
      const perBox = (await proportionalBytes(root)) - memory
      const beside: number[] = []
      await type()
      for (let run = 0; run < runs; run += 1) beside.push(...(await type()))
      client.dispose()
      return [
        {
          name: 'keystroke to acceptance beside the idle boxes',
          unit: 'ms',
          better: 'smaller',
          own: beside,
          peer: { name: alone, samples: before },
          budget: { of: 'p99', limit: 10 },
        },
        {
          name: 'memory of an idle box, proportional share',
          unit: 'MB',
          better: 'smaller',
          own: [perBox / BOXES / 2 ** 20],
          peer: null,
        },
      ]
    } finally {
      await driver.dispose()
      await rm(root, { recursive: true, force: true })
    }
  },
}
export default benchmark

/** What all processes below this one have in memory, what several share counted once. */
async function proportionalBytes(root: string): Promise<number> {
  let kilobytes = 0
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
    const isBox = (await read('environ')).includes('BOXYARD_BOX_ID=') || (await read('cmdline')).includes(root)
    const isLauncher = (await read('comm')).trim() === 'bwrap'
    if (isBox || isLauncher) kilobytes += Number(/^Pss:\s+(\d+) kB$/m.exec(await read('smaps_rollup'))?.[1] ?? 0)
  }
  return kilobytes * 1024
}
