import { describe, expect, it } from 'vitest'
import { editInGroups } from '../testing/groups.ts'

/** `BOXYARD_FUZZ_SEEDS` sets how many seeds are tried, `BOXYARD_FUZZ_FIRST_SEED` the first of them. See `npm run fuzz`. */
const SEEDS = Number(process.env['BOXYARD_FUZZ_SEEDS'] ?? 300)
const FIRST_SEED = Number(process.env['BOXYARD_FUZZ_FIRST_SEED'] ?? 1)
/** As many groups share a dev server and its restarts: most of a seed's time went into servers that start. */
const GROUPS = 10

/** Groups that have caught a mistake before; the name says which. */
const PINNED = [{ from: 5151, groups: 20, caught: 'a text that was as saved again when a restart came' }]

describe('people who edit together', { timeout: 0 }, () => {
  it.each(PINNED)('FILE27: converge around $caught, seeds $from and on', async ({ from, groups }) => {
    const acknowledged = await editInGroups(Array.from({ length: groups }, (_, index) => from + index))
    for (const count of acknowledged.values()) expect(count).toBeGreaterThan(0)
  })

  it(`FILE27: converge over lost connections and restarts, seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}`, async () => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index)
    while (seeds.length > 0) {
      const group = seeds.splice(0, GROUPS)
      const acknowledged = await editInGroups(group)
      for (const seed of group) expect([seed, acknowledged.get(seed)]).toEqual([seed, expect.any(Number)])
      for (const seed of group) expect(acknowledged.get(seed)).toBeGreaterThan(0)
      // A long run that is ended before its time has still shown something.
      const last = group.at(-1)!
      if (SEEDS > 300 && (last - FIRST_SEED + 1) % 100 === 0) console.log(`Seeds ${FIRST_SEED} to ${last} converge`)
    }
  })
})
