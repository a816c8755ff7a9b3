import type { Benchmark, Series } from '../benchmark.ts'
import { startBoxyardTyping } from '../keystroke/boxyardTyping.ts'
import { shareDb, shareDbOnDisk, startShareDbTyping } from '../keystroke/shareDbTyping.ts'
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
    const durable = await startShareDbTyping({ durable: true })
    const measure = async (typing: Typing, people: number) => {
      const { typists, close } = await typing.open(people, SOURCE)
      try {
        return await typeFast(typists, MS)
      } finally {
        await close()
      }
    }
    const seriesOf = async (people: number): Promise<Series[]> => {
      const samples = { own: [] as number[], peer: [] as number[], durable: [] as number[] }
      for (let run = 0; run < runs; run += 1) {
        samples.own.push(await measure(own, people))
        samples.peer.push(await measure(peer, people))
        samples.durable.push(await measure(durable, people))
        const [mine, theirs, onDisk] = [samples.own, samples.peer, samples.durable].map((list) =>
          list.at(-1)!.toFixed(0),
        )
        report(`${people} typing: ${mine} a second, ${theirs}, with a log on disk ${onDisk}`)
      }
      const of = { unit: '1/s', better: 'larger', own: samples.own } as const
      return [
        {
          ...of,
          name: `${people} typing`,
          peer: { name: shareDb, samples: samples.peer },
          ...(people === 8 ? { budget: { of: 'ratio', limit: 1 } as const } : {}),
        },
        { ...of, name: `${people} typing, both on disk`, peer: { name: shareDbOnDisk, samples: samples.durable } },
      ]
    }
    try {
      // Both programs are compiled while they run: the first round is for them.
      await measure(own, 8)
      await measure(peer, 8)
      await measure(durable, 8)
      const [first, ...rest] = (await seriesOf(8)) as [Series, ...Series[]]
      for (const people of [25, 2, 1]) rest.push(...(await seriesOf(people)))
      return [first, ...rest]
    } finally {
      await own.stop()
      await peer.stop()
      await durable.stop()
    }
  },
}
export default benchmark
