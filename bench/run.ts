// `npm run bench -- --list` lists the benchmarks, `npm run bench -- NAME [--runs N]` runs one. The last line is one JSON object.
import { readdirSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { reportOf } from './benchmark.ts'
import type { Benchmark, SeriesReport } from './benchmark.ts'
import { watchLoad } from './watchLoad.ts'

const folder = fileURLToPath(new URL('benchmarks/', import.meta.url))
const benchmarks: Benchmark[] = []
for (const file of readdirSync(folder).toSorted()) {
  if (file.endsWith('.bench.ts'))
    benchmarks.push(((await import(`${folder}${file}`)) as { default: Benchmark }).default)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, runs: { type: 'string' } },
})
const [name] = positionals
const benchmark = benchmarks.find((candidate) => candidate.name === name)
const runs = values.runs === undefined ? benchmark?.runs : Number(values.runs)
if (values.list || name === undefined) {
  for (const { name, description, peer } of benchmarks) console.log(`${name.padEnd(20)} ${description} Peer: ${peer}.`)
} else if (!benchmark) {
  console.error(`There is no benchmark ${name}. See npm run bench -- --list`)
  process.exitCode = 2
} else if (!runs || !Number.isInteger(runs) || runs < 1) {
  console.error(`--runs expects a number from 1, not ${values.runs}`)
  process.exitCode = 2
} else {
  const load = watchLoad()
  const measured = await benchmark.run({ runs, report: (line) => console.log(line) })
  const machine = {
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    ...load.end(),
  }
  const series = measured.map(reportOf)
  for (const one of series) console.log(lineOf(one))
  const [{ unit, better, figures, peer, ratio }] = series as [SeriesReport, ...SeriesReport[]]
  console.log(JSON.stringify({ name: benchmark.name, unit, better, figures, peer, ratio, series, machine }))
  process.exit(0)
}

function lineOf({ name, unit, figures, peer, ratio, ratioOfP99, budget }: SeriesReport): string {
  const counted = unit === 'lost edits'
  const show = ({ median, p99, total, runs }: SeriesReport['figures']) =>
    counted ? `${total} ${unit} in ${runs}` : `median ${median}, p99 ${p99} ${unit} (${runs})`
  return [
    `${name}: ${show(figures)}`,
    peer && `${peer.name}: ${show(peer)}`,
    ratio !== null && `ratio ${ratio}${ratioOfP99 === null ? '' : `, of p99 ${ratioOfP99}`}`,
    budget && `budget ${budget.of} ${budget.limit} ${budget.met ? 'met' : 'MISSED'}`,
  ]
    .filter(Boolean)
    .join('; ')
}
