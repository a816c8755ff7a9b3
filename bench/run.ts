// `npm run bench -- --list` lists the benchmarks, `npm run bench -- NAME` runs one. The last line is one JSON object.
import { readdirSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { figuresOf } from './benchmark.ts'
import type { Benchmark } from './benchmark.ts'

const folder = fileURLToPath(new URL('benchmarks/', import.meta.url))
const benchmarks: Benchmark[] = []
for (const file of readdirSync(folder).toSorted()) {
  if (file.endsWith('.bench.ts'))
    benchmarks.push(((await import(`${folder}${file}`)) as { default: Benchmark }).default)
}

const [name] = process.argv.slice(2)
const benchmark = benchmarks.find((candidate) => candidate.name === name)
if (name === '--list' || name === undefined) {
  for (const { name, description, peer } of benchmarks) console.log(`${name.padEnd(20)} ${description} Peer: ${peer}.`)
} else if (!benchmark) {
  console.error(`There is no benchmark ${name}. See npm run bench -- --list`)
  process.exitCode = 2
} else {
  const loadBefore = loadavg()[0]!
  const { own, peer } = await benchmark.run((line) => console.log(line))
  const figures = figuresOf(own)
  const peerFigures = figuresOf(peer)
  const ratio = Number((figures.median / peerFigures.median).toPrecision(3))
  console.log(
    JSON.stringify({
      name: benchmark.name,
      unit: benchmark.unit,
      better: benchmark.smallerIsBetter ? 'smaller' : 'larger',
      figures,
      peer: { name: benchmark.peer, ...peerFigures },
      ratio,
      machine: { cores: cpus().length, node: process.version, loadBefore, loadAfter: loadavg()[0]! },
    }),
  )
  process.exit(0)
}
