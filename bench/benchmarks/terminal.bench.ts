import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Benchmark } from '../benchmark.ts'
import { bareTerminal, bareTerminals } from '../terminal/bareTerminals.ts'
import { startBoxyardTerminals } from '../terminal/boxyardTerminals.ts'
import { echoes, interruption, throughput } from '../terminal/terminal.ts'
import type { Terminals } from '../terminal/terminal.ts'

const LINES = 250_000
const LINE = `${'The quick brown fox jumps over the lazy dog. '.repeat(2).slice(0, 79)}\n`
const KEYS = 100

const benchmark: Benchmark = {
  name: 'terminal',
  description: 'Output of a terminal at the client, the echo of a key, and Ctrl-C during `yes`.',
  peer: bareTerminal,
  runs: 5,
  async run({ runs, report }) {
    const folder = await mkdtemp(join(tmpdir(), 'boxyard-bench-terminal-'))
    const file = join(folder, 'lines.txt')
    await writeFile(file, LINE.repeat(LINES))
    const own = {
      terminals: await startBoxyardTerminals(),
      output: [] as number[],
      echo: [] as number[],
      ctrlC: [] as number[],
    }
    const peer = { terminals: bareTerminals, output: [] as number[], echo: [] as number[], ctrlC: [] as number[] }
    const warm = (terminals: Terminals) => throughput(terminals, file)
    try {
      await warm(own.terminals)
      await warm(peer.terminals)
      for (let run = 0; run < runs; run += 1) {
        for (const { terminals, output, echo, ctrlC } of [own, peer]) {
          output.push(await throughput(terminals, file))
          echo.push(...(await echoes(terminals, KEYS)))
          ctrlC.push(await interruption(terminals))
        }
        report(
          `${own.output.at(-1)!.toFixed(0)} and ${peer.output.at(-1)!.toFixed(0)} MB/s; Ctrl-C ${own.ctrlC.at(-1)!.toFixed(1)} and ${peer.ctrlC.at(-1)!.toFixed(1)} ms`,
        )
      }
    } finally {
      await own.terminals.stop()
      await rm(folder, { recursive: true })
    }
    const time = { unit: 'ms', better: 'smaller' } as const
    const against = (samples: number[]) => ({ name: bareTerminal, samples })
    return [
      {
        name: 'output',
        unit: 'MB/s',
        better: 'larger',
        own: own.output,
        peer: against(peer.output),
        budget: { of: 'median', limit: 30 },
      },
      { ...time, name: 'echo', own: own.echo, peer: against(peer.echo), budget: { of: 'p99', limit: 5 } },
      {
        ...time,
        name: 'Ctrl-C during yes',
        own: own.ctrlC,
        peer: against(peer.ctrlC),
        budget: { of: 'p99', limit: 100 },
      },
    ]
  },
}
export default benchmark
