import type { Benchmark } from '../benchmark.ts'
import { Flood } from '../flood/flood.ts'

const KEYS = 200
/** So many times 100 MB flow on: a server that keeps what nobody reads is found out. */
const MORE = 2
const quiet = 'the same box while it is quiet'

const benchmark: Benchmark = {
  name: 'flood',
  description:
    "A key while `yes` runs in somebody else's terminal and a third person does not read it; memory of the dev server.",
  peer: quiet,
  runs: 3,
  async run({ runs, report }) {
    const keys = { flooded: [] as number[], quiet: [] as number[] }
    const memory = { flooded: [] as number[], later: [] as number[], quiet: [] as number[] }
    for (let run = 0; run < runs; run += 1) {
      const flood = await Flood.create()
      try {
        keys.quiet.push(...(await flood.keys(KEYS)))
        memory.quiet.push(await flood.memory())
        await flood.start()
        memory.flooded.push(await flood.memory())
        keys.flooded.push(...(await flood.keys(KEYS)))
        await flood.flow(MORE)
        memory.later.push(await flood.memory())
        const [before, after, later] = [memory.quiet, memory.flooded, memory.later].map((list) =>
          list.at(-1)!.toFixed(0),
        )
        report(`${before} MB before, ${after} MB after 100 MB of output, ${later} MB after at least ${MORE}00 MB more`)
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
        name: 'memory after 200 MB more',
        unit: 'MB',
        better: 'smaller',
        own: memory.later,
        peer: { name: 'after the first 100 MB', samples: memory.flooded },
        budget: { of: 'ratio', limit: 1.1 },
      },
    ]
  },
}
export default benchmark
