import { describe, expect, it } from 'vitest'
import { Simulation, type Reconnection, type SimulationOptions } from './simulation.ts'

/** `OT_FUZZ_SEEDS` sets the seeds tried for each kind of connection, `OT_FUZZ_FIRST_SEED` the first of them. */
const SEEDS = Number(process.env['OT_FUZZ_SEEDS'] ?? 300)
const FIRST_SEED = Number(process.env['OT_FUZZ_FIRST_SEED'] ?? 1)

/** Runs that have caught a mistake before; the name says which. */
const PINNED: readonly (SimulationOptions & { caught: string })[] = [
  {
    seed: 1010,
    steps: 120,
    reconnection: 'never',
    caught: 'a deletion joins two stretches of the operation in flight',
  },
  {
    seed: 1010,
    steps: 120,
    reconnection: 'replay',
    caught: 'a deletion joins two stretches of the operation in flight',
  },
  { seed: 226, steps: 120, reconnection: 'never', caught: 'a group takes back what another one has queued' },
  { seed: 378, steps: 120, reconnection: 'replay', caught: 'a group takes back what another one has queued' },
  { seed: 74, steps: 120, reconnection: 'never', caught: 'a group in flight can no longer be redone' },
  { seed: 93, steps: 120, reconnection: 'never', caught: 'a group in flight can no longer be redone' },
]

function failures(reconnection: Reconnection, steps: number, seeds: number): string[] {
  const found: string[] = []
  for (let seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed += 1) {
    try {
      new Simulation({ seed, steps, reconnection }).run()
    } catch (error) {
      found.push(`${reconnection}, ${steps} steps, seed ${seed}: ${String(error)}`)
    }
  }
  return found
}

describe('clients that edit together', { timeout: 0 }, () => {
  for (const { caught, ...options } of PINNED) {
    it(`UN9: ${caught} (${options.reconnection}, ${options.steps} steps, seed ${options.seed})`, () => {
      const simulation = new Simulation(options)
      simulation.run()
      expect(simulation.undos).toBeGreaterThan(20)
    })
  }

  it('UN9: converge, and each undo touches only its own work, while connected', () => {
    expect(failures('never', 120, SEEDS)).toEqual([])
  })

  it('UN9: the same with long queues', () => {
    expect(failures('never', 600, Math.ceil(SEEDS / 5))).toEqual([])
  })

  it('UN9: the same when connections break and the server replays', () => {
    expect(failures('replay', 120, SEEDS)).toEqual([])
    expect(failures('replay', 600, Math.ceil(SEEDS / 5))).toEqual([])
  })

  it('CD8: converge when connections break and the server sends only its text', () => {
    expect(failures('text-told', 120, SEEDS)).toEqual([])
  })

  it('CD9: converge when the server cannot say whether the operation in flight arrived', () => {
    expect(failures('text-guessed', 120, SEEDS)).toEqual([])
  })
})
