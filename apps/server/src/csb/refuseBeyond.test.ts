import { expect, it } from 'vitest'
import { refuseBeyond } from './refuseBeyond.ts'

it('SD11: one machine more than the most is 429, and says what to do', () => {
  refuseBeyond(4, 3)
  expect(() => refuseBeyond(4, 4)).toThrow(expect.objectContaining({ status: 429 }))
  expect(() => refuseBeyond(4, 5)).toThrow(/Hibernate one/)
})
