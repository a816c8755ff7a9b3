import type { Benchmark, Series } from '../benchmark.ts'
import { bareWrites } from '../keystroke/bareWrites.ts'
import { startBoxyardTyping } from '../keystroke/boxyardTyping.ts'
import { shareDb, shareDbOnDisk, startShareDbTyping } from '../keystroke/shareDbTyping.ts'
import { SOURCE, typeSteadily } from '../keystroke/typing.ts'
import type { Typing } from '../keystroke/typing.ts'

const PER_SECOND = 10
const MS = 3_000

const benchmark: Benchmark = {
  name: 'keystroke-latency',
  description:
    'A keystroke, from the editor to accepted (ours: on disk), with 25, 8, 2 and 1 people typing 10 a second.',
  peer: shareDb,
  runs: 5,
  async run({ runs, report }) {
    const own = await startBoxyardTyping()
    const peer = await startShareDbTyping()
    const durable = await startShareDbTyping({ durable: true })
    const measure = async (typing: Typing, people: number) => {
      const { typists, close } = await typing.open(people, SOURCE)
      try {
        return await typeSteadily(typists, PER_SECOND, MS)
      } finally {
        await close()
      }
    }
    const seriesOf = async (people: number): Promise<Series[]> => {
      const samples = { own: [] as number[], peer: [] as number[], durable: [] as number[] }
      for (let run = 0; run < runs; run += 1) {
        samples.own.push(...(await measure(own, people)))
        samples.peer.push(...(await measure(peer, people)))
        samples.durable.push(...(await measure(durable, people)))
      }
      report(`${people} typing: ${samples.own.length} keystrokes`)
      const of = { unit: 'ms', better: 'smaller', own: samples.own } as const
      return [
        {
          ...of,
          name: `${people} typing`,
          peer: { name: shareDb, samples: samples.peer },
          budget: { of: 'p99', limit: 10 },
        },
        { ...of, name: `${people} typing, both on disk`, peer: { name: shareDbOnDisk, samples: samples.durable } },
      ]
    }
    try {
      // All programs are compiled while they run: the first round is for them.
      await measure(own, 25)
      await measure(peer, 25)
      await measure(durable, 25)
      const floor: Series = {
        name: 'a bare write with fdatasync, for comparison',
        unit: 'ms',
        better: 'smaller',
        own: await bareWrites(),
        peer: null,
      }
      const [first, ...rest] = (await seriesOf(25)) as [Series, ...Series[]]
      for (const people of [8, 2, 1]) rest.push(...(await seriesOf(people)))
      return [first, ...rest, floor]
    } finally {
      await own.stop()
      await peer.stop()
      await durable.stop()
    }
  },
}
export default benchmark
