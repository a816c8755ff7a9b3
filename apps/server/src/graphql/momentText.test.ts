import fc from 'fast-check'
import { expect, it } from 'vitest'
import { momentText } from './momentText.ts'

it('is the text that the language gives a moment', () => {
  const same = (date: Date) => {
    expect(momentText(date)).toBe(date.toISOString())
  }
  fc.assert(fc.property(fc.date({ noInvalidDate: true }), same))
  const recent = { min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }
  fc.assert(fc.property(fc.date(recent), same))
  expect(() => momentText(new Date(Number.NaN))).toThrow(RangeError)
})
