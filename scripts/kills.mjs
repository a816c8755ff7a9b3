// `npm run kills -- --rounds 200 --seed 1`: kills of the dev server at random moments while people type and make files, of one in a box,
// which its keeper starts again, and of a bare one. A kill that lost something is named by its seed.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string', default: '20261123' } },
})
const [rounds, seed] = [Number(values.rounds), Number(values.seed)]
if (!Number.isSafeInteger(rounds) || rounds < 1 || !Number.isSafeInteger(seed) || seed < 0) {
  console.error('Usage: npm run kills -- --rounds N --seed S')
  process.exit(2)
}
const files = ['killedBox', 'killNine'].map((name) => `packages/dev-server/src/file/${name}.integration.test.ts`)
const { status } = spawnSync('node_modules/.bin/vitest', ['run', '--project', 'integration', ...files], {
  stdio: 'inherit',
  env: { ...process.env, BOXYARD_KILL_ROUNDS: String(rounds), BOXYARD_KILL_SEED: String(seed) },
})
console.log(`${rounds} kills each from seed ${seed} on: ${status === 0 ? 'nothing is lost' : 'failed, see above'}`)
process.exit(status ?? 1)
