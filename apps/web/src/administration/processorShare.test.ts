import { expect, test } from 'vitest'
import { processorShare } from './processorShare.ts'

test('says how much of one processor was used between two readings', () => {
  expect(processorShare({ at: 1000, usec: 500_000 }, { at: 6000, usec: 3_000_000 })).toBe(0.5)
  expect(processorShare({ at: 1000, usec: 0 }, { at: 2000, usec: 2_000_000 })).toBe(2)
})

test('says nothing about a machine that began anew, or without time in between', () => {
  expect(processorShare({ at: 1000, usec: 500_000 }, { at: 6000, usec: 10 })).toBeNull()
  expect(processorShare({ at: 1000, usec: 500_000 }, { at: 1000, usec: 600_000 })).toBeNull()
})
