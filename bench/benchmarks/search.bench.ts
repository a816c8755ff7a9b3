import type { Benchmark } from '../benchmark.ts'
import { buildDevServer } from '../buildDevServer.ts'
import { DevServerProcess } from '../devServerProcess.ts'
import { ripgrep, searchByClient, searchByProgram, writeHay } from '../search/searches.ts'
import type { Search } from '../search/searches.ts'

const benchmark: Benchmark = {
  name: 'search',
  description: 'A text in 500 of 10,000 files, at the client: the first match, and all of them.',
  peer: ripgrep,
  runs: 20,
  async run({ runs, report }) {
    const server = await DevServerProcess.create(await buildDevServer())
    try {
      await writeHay(server.workspace)
      await server.run()
      const client = await server.connect('searcher')
      const own: Search[] = []
      const peer: Search[] = []
      // The first round fills the cache of the file system for both.
      await searchByClient(client)
      await searchByProgram(server.workspace)
      for (let run = 0; run < runs; run += 1) {
        own.push(await searchByClient(client))
        peer.push(await searchByProgram(server.workspace))
      }
      const counts = new Set([...own, ...peer].map(({ matches }) => matches))
      if (counts.size !== 1) throw new Error(`They found ${[...counts].join(' and ')} matches`)
      report(`${own[0]!.matches} matches`)
      const series = (key: 'first' | 'total') => ({
        unit: 'ms' as const,
        better: 'smaller' as const,
        own: own.map((search) => search[key]),
        peer: { name: ripgrep, samples: peer.map((search) => search[key]) },
      })
      return [
        { name: 'all matches', ...series('total'), budget: { of: 'ratio', limit: 1.5 } },
        { name: 'first match', ...series('first'), budget: { of: 'median', limit: 100 } },
      ]
    } finally {
      await server.stop()
    }
  },
}
export default benchmark
