// `npm run fuzz -- --seeds 10000 --from 1`: clients that edit together, in a model, on a real dev server with lost connections and
// restarts, with undo on a real dev server, and the same with editors in a browser. A seed that fails is named; put it into the list of pinned
// ones. `--only undo` runs one of them.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const all = {
  model: 'packages/ot/src/convergence.fuzz.test.ts',
  text: 'packages/dev-server/src/file/convergence.integration.test.ts',
  undo: 'packages/dev-server-client/src/files/ownership.integration.test.ts',
  browser: 'packages/workbench/ownership.e2e.test.ts',
}
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10000' },
    from: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const [seeds, from] = [Number(values.seeds), Number(values.from)]
const isKnown = values.only === undefined || Object.hasOwn(all, values.only)
if (!Number.isSafeInteger(seeds) || seeds < 1 || !Number.isSafeInteger(from) || from < 0 || !isKnown) {
  console.error(`Usage: npm run fuzz -- --seeds N --from M [--only ${Object.keys(all).join('|')}]`)
  process.exit(2)
}
const env = {
  ...process.env,
  OT_FUZZ_SEEDS: String(seeds),
  OT_FUZZ_FIRST_SEED: String(from),
  BOXYARD_FUZZ_SEEDS: String(seeds),
  BOXYARD_FUZZ_FIRST_SEED: String(from),
}
const files = values.only === undefined ? Object.values(all) : [all[values.only]]
const { status } = spawnSync(
  'node_modules/.bin/vitest',
  ['run', '--project', 'unit', '--project', 'integration', '--project', 'e2e', ...files],
  {
    stdio: 'inherit',
    env,
  },
)
console.log(
  `Seeds ${from} to ${from + seeds - 1}: ${status === 0 ? 'all clients came to one text' : 'failed, see above'}`,
)
process.exit(status ?? 1)
