import { fileURLToPath } from 'node:url'
import type { Benchmark } from '../benchmark.ts'
import { BoxyardServer } from '../server/boxyardServer.ts'
import { plainVite } from '../server/plainVite.ts'

const TEMPLATE = 'react-vite-ts'
const PORT = 5173
const folder = fileURLToPath(new URL(`../../templates/${TEMPLATE}`, import.meta.url))
const peer = 'npm ci and npx vite in a plain folder, npm cache warm'

const benchmark: Benchmark = {
  name: 'second-devbox',
  description:
    'A devbox from the React template, from its creation to its page through the edge; not the first of its template.',
  peer,
  runs: 5,
  async run({ runs, report }) {
    const server = await BoxyardServer.start()
    try {
      const devbox = async () => {
        const start = performance.now()
        const id = await server.createDevbox(TEMPLATE)
        await server.startDevbox(id)
        const started = performance.now() - start
        await server.untilPreview(id, PORT)
        const page = performance.now() - start
        await server.stopDevbox(id)
        return { started, page }
      }
      const first = await devbox()
      report(`The first devbox of the template, which seals its disk: ${(first.page / 1000).toFixed(1)} s`)
      await plainVite(folder)
      const own: number[] = []
      const started: number[] = []
      const plain: number[] = []
      for (let run = 0; run < runs; run += 1) {
        const second = await devbox()
        own.push(second.page)
        started.push(second.started)
        plain.push(await plainVite(folder))
        report(
          `started ${second.started.toFixed(0)}, page ${second.page.toFixed(0)}; plain ${plain.at(-1)!.toFixed(0)}`,
        )
      }
      const time = { unit: 'ms', better: 'smaller' } as const
      return [
        { ...time, name: 'create to page', own, peer: { name: peer, samples: plain } },
        { ...time, name: 'create to dev server', own: started, peer: null },
        { ...time, name: 'first of its template, disk sealed on the way', own: [first.page], peer: null },
      ]
    } finally {
      await server.stop()
    }
  },
}
export default benchmark
