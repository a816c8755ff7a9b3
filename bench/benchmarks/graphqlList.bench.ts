import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Benchmark } from '../benchmark.ts'
import { installPeer } from '../installPeer.ts'
import { BoxyardServer } from '../server/boxyardServer.ts'
import { freePort } from '../server/freePort.ts'
import { untilListening } from '../untilListening.ts'

const SANDBOXES = 50
const CONNECTIONS = 10
const SECONDS = 4
const peer = 'Yoga 5.24.1 with the same schema and database'
const program = fileURLToPath(new URL('../graphql/yogaServer.ts', import.meta.url))
const query = `{ me { sandboxes(limit: ${SANDBOXES}) {
  id title alias privacy updatedAt author { id username avatarUrl } team { id name avatarUrl }
} } }`

interface Load {
  requests: { average: number }
  latency: { p50: number; p99: number }
  errors: number
  non2xx: number
}
type Autocannon = (options: object) => Promise<Load>

const benchmark: Benchmark = {
  name: 'graphql-list',
  description: `Answers a second: a list of ${SANDBOXES} sandboxes with authors and workspaces, ${CONNECTIONS} connections.`,
  peer,
  runs: 5,
  async run({ runs, report }) {
    // One copy of graphql for both: its types refuse those of another copy.
    const yoga = await installPeer({ name: 'graphql-yoga', dependencies: { 'graphql-yoga': '5.24.1' } })
    await rm(join(yoga, 'node_modules', 'graphql'), { recursive: true, force: true })
    const load = await installPeer({ name: 'autocannon', dependencies: { autocannon: '8.0.0' } })
    const autocannon = createRequire(join(load, 'package.json'))('autocannon') as Autocannon
    const server = await BoxyardServer.start()
    // The same way in as ours: what a socket costs is a good part of an answer.
    const port = await freePort()
    const child = spawn(process.execPath, ['--import', 'tsx', program, yoga, server.databaseFolder, String(port)], {
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'inherit', 'pipe'],
    })
    try {
      for (let made = 0; made < SANDBOXES; made += 1) await server.createSandbox('react-vite-ts')
      await untilListening(child, port)
      const request = {
        method: 'POST',
        headers: server.headers,
        body: JSON.stringify({ query }),
        connections: CONNECTIONS,
      }
      const targets = {
        own: { ...request, url: `http://127.0.0.1:${server.port}/api/graphql` },
        peer: { ...request, url: `http://127.0.0.1:${port}/graphql` },
      }
      const measured = { own: [] as Load[], peer: [] as Load[] }
      for (const side of ['own', 'peer'] as const) await autocannon({ ...targets[side], duration: SECONDS })
      for (let run = 0; run < runs; run += 1) {
        for (const side of ['own', 'peer'] as const) {
          const result = await autocannon({ ...targets[side], duration: SECONDS })
          if (result.errors + result.non2xx > 0) throw new Error(`${side} failed: ${JSON.stringify(result)}`)
          measured[side].push(result)
        }
        report(
          `run ${run + 1}: ${measured.own.at(-1)!.requests.average} and ${measured.peer.at(-1)!.requests.average} a second`,
        )
      }
      const of = (pick: (load: Load) => number) => ({
        own: measured.own.map(pick),
        peer: { name: peer, samples: measured.peer.map(pick) },
      })
      return [
        {
          name: 'answers a second',
          unit: '1/s',
          better: 'larger',
          ...of(({ requests }) => requests.average),
          budget: { of: 'ratio', limit: 2 },
        },
        { name: 'median time of an answer', unit: 'ms', better: 'smaller', ...of(({ latency }) => latency.p50) },
      ]
    } finally {
      child.kill('SIGKILL')
      await server.stop()
    }
  },
}
export default benchmark
