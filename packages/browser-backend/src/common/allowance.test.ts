import { expect, it } from 'vitest'
import { Allowance } from './allowance.ts'

it('takes so much at once, and then so much in a second', () => {
  let now = 0
  const allowance = new Allowance(3, 2, () => now)
  const taken = (times: number) => Array.from({ length: times }, () => allowance.take()).filter(Boolean).length
  expect(taken(10)).toBe(3)
  now = 499
  expect(taken(10)).toBe(0)
  now = 1500
  expect(taken(10)).toBe(3)
  // Nothing is saved up beyond what is taken at once.
  now = 1_000_000
  expect(taken(10)).toBe(3)
})
