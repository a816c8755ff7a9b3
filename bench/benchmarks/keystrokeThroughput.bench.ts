import type { Benchmark, Series } from '../benchmark.ts'
import { startBoxyardTyping } from '../keystroke/boxyardTyping.ts'
import { shareDb, startShareDbTyping } from '../keystroke/shareDbTyping.ts'
import { SOURCE, typeFast } from '../keystroke/typing.ts'
import type { Typing } from '../keystroke/typing.ts'

const MS = 2_000

const benchmark: Benchmark = {
  name: 'keystroke-throughput',
  description:
    'Keystrokes accepted a second (ours: on disk) when 8, 25, 2 and 1 people type as fast as they are answered.',
  peer: shareDb,
  runs: 5,
  async run({ runs, report }) {
    const own = await startBoxyardTyping()
    const peer = await startShareDbTyping()
    const measure = async (typing: Typing, people: number) => {
      const { typists, close } = await typing.open(people, SOURCE)
      try {
        return await typeFast(typists, MS)
      } finally {
        await close()
      }
    }
    const seriesOf = async (people: number): Promise<Series> => {
      const samples = { own: [] as number[], peer: [] as number[] }
      for (let run = 0; run < runs; run += 1) {
        samples.own.push(await measure(own, people))
        samples.peer.push(await measure(peer, people))
        report(`${people} typing: ${samples.own.at(-1)!.toFixed(0)} a second, ${samples.peer.at(-1)!.toFixed(0)}`)
      }
      return {
        name: `${people} typing`,
        unit: '1/s',
        better: 'larger',
        own: samples.own,
        peer: { name: shareDb, samples: samples.peer },
        ...(people === 8 ? { budget: { of: 'ratio', limit: 1 } as const } : {}),
      }
    }
    try {
      // Both programs are compiled while they run: the first round is for them.
      await measure(own, 8)
      await measure(peer, 8)
      return [await seriesOf(8), await seriesOf(25), await seriesOf(2), await seriesOf(1)]
    } finally {
      await own.stop()
      await peer.stop()
    }
  },
}
export default benchmark
