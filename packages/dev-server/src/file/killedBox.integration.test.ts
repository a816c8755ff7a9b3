import { expect, it } from 'vitest'
import { KilledBox } from '../testing/killedBox.ts'

// `npm run kills -- --rounds 200` kills as often as that.
const ROUNDS = Number(process.env['BOXYARD_KILL_ROUNDS'] ?? 4)
const SEED = Number(process.env['BOXYARD_KILL_SEED'] ?? 20_261_123)

it(
  `FILE750: nothing acknowledged is lost when the dev server of a box is killed, ${ROUNDS} times from seed ${SEED} on`,
  { timeout: 1_000_000 },
  async () => {
    const box = await KilledBox.create(SEED)
    const recoveries: number[] = []
    let acknowledged = 0
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const kill = await box.kill()
        recoveries.push(kill.recovery)
        acknowledged += kill.acknowledged
      }
    } finally {
      await box.remove()
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS)
    const sorted = recoveries.toSorted((a, b) => a - b).map(Math.round)
    const [median, most] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    console.log(
      `${ROUNDS} kills, ${acknowledged} acknowledged: the text is there again after ${median} ms, ${most} at most`,
    )
  },
)
