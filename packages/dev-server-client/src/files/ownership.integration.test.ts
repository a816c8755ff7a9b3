import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { StringAuthor } from '../testing/author.ts'
import { RealDevServer } from '../testing/realDevServer.ts'
import { WireTable } from '../testing/wireTable.ts'

/** `BOXYARD_FUZZ_SEEDS` sets how many seeds are tried with and without losses, `BOXYARD_FUZZ_FIRST_SEED` the first of them. See `npm run fuzz`. */
const SEEDS = Number(process.env['BOXYARD_FUZZ_SEEDS'] ?? 6)
const FIRST_SEED = Number(process.env['BOXYARD_FUZZ_FIRST_SEED'] ?? 1)
const STEPS = 120
/** Tables that share the dev server at the same time, each with people and files of its own. */
const TABLES = 3

describe('people who undo while others edit, on a real dev server', { timeout: 0 }, () => {
  let server: RealDevServer
  beforeAll(async () => {
    server = await RealDevServer.start()
  })
  afterAll(() => server.stop())

  const openTable = () =>
    WireTable.open({
      instance: (name) => server.instance(name),
      connect: (url) => {
        const socket = new WebSocket(url)
        return { socket, end: () => socket.terminate() }
      },
      author: (file, hasKeys) => new StringAuthor(file, hasKeys),
    })

  async function outcome(breaks: boolean): Promise<{ failures: string[]; undos: number; losses: number }> {
    const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index)
    const failures: string[] = []
    let [done, undos, losses] = [0, 0, 0]
    const edit = async (): Promise<void> => {
      let table = await openTable()
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        try {
          const run = await table.run({ seed, steps: STEPS, breaks })
          undos += run.undos
          losses += run.losses
        } catch (error) {
          failures.push(`Seed ${seed}: ${String(error)}`)
          console.log(failures.at(-1))
          table.dispose()
          table = await openTable()
        }
        done += 1
        // A long run that is ended before its time has still shown something.
        if (done % 100 === 0)
          console.log(
            `Undo, ${breaks ? 'with losses' : 'connected'}: ${done} seeds from ${FIRST_SEED} on, ${undos} undos, ${losses} losses, ${failures.length} failed`,
          )
      }
      table.dispose()
    }
    await Promise.all(Array.from({ length: Math.min(TABLES, SEEDS) }, edit))
    return { failures, undos, losses }
  }

  it(`DC54: each takes back their own work alone, seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}`, async () => {
    const { failures, undos } = await outcome(false)
    expect(failures).toEqual([])
    expect(undos).toBeGreaterThan(SEEDS * 10)
  })

  it(`DC54: the same over lost connections, seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}`, async () => {
    const { failures, undos, losses } = await outcome(true)
    expect(failures).toEqual([])
    expect(undos).toBeGreaterThan(SEEDS * 10)
    expect(losses).toBeGreaterThan(0)
  })
})
