import type { Benchmark } from '../benchmark.ts'
import { Flood } from '../flood/flood.ts'

const KEYS = 200
const quiet = 'the same box while it is quiet'

const benchmark: Benchmark = {
  name: 'flood',
  description:
    "A key while `yes` runs in somebody else's terminal and a third person does not read it; memory of the dev server.",
  peer: quiet,
  runs: 3,
  async run({ runs, report }) {
    const keys = { flooded: [] as number[], quiet: [] as number[] }
    const memory = { flooded: [] as number[], quiet: [] as number[] }
    for (let run = 0; run < runs; run += 1) {
      const flood = await Flood.create()
      try {
        keys.quiet.push(...(await flood.keys(KEYS)))
        memory.quiet.push(await flood.memory())
        await flood.start()
        keys.flooded.push(...(await flood.keys(KEYS)))
        memory.flooded.push(await flood.memory())
        report(`${memory.quiet.at(-1)!.toFixed(0)} MB before, ${memory.flooded.at(-1)!.toFixed(0)} MB during the flood`)
      } finally {
        await flood.stop()
      }
    }
    return [
      {
        name: 'key to acceptance during the flood',
        unit: 'ms',
        better: 'smaller',
        own: keys.flooded,
        peer: { name: quiet, samples: keys.quiet },
        budget: { of: 'p99', limit: 20 },
      },
      {
        name: 'memory during the flood',
        unit: 'MB',
        better: 'smaller',
        own: memory.flooded,
        peer: { name: quiet, samples: memory.quiet },
      },
    ]
  },
}
export default benchmark
