import { expect, it } from 'vitest'
import { turnsOutOfSight } from './turnsOutOfSight.ts'

it('WB1090: turns come without timers, until there is no end of them', async () => {
  const timers: (() => void)[] = []
  const give = turnsOutOfSight({ setTimeout: (run: () => void) => timers.push(run) } as never)
  const next = () => new Promise<void>(give)
  for (let turn = 0; turn < 300; turn += 1) await next()
  expect(timers).toHaveLength(0)
  const late = next()
  expect(timers).toHaveLength(1)
  timers[0]!()
  await late
})
