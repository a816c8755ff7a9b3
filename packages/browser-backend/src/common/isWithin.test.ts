import { expect, it } from 'vitest'
import { isWithin } from './isWithin.ts'

it('counts characters, names and members of plain data, and looks no further than the end', () => {
  expect(isWithin({ type: 'console', text: 'x'.repeat(100) }, 200)).toBe(true)
  expect(isWithin({ type: 'console', text: 'x'.repeat(300) }, 200)).toBe(false)
  expect(isWithin({ ['n'.repeat(300)]: 1 }, 200)).toBe(false)
  expect(
    isWithin(
      Array.from({ length: 300 }, () => 0),
      200,
    ),
  ).toBe(false)
  expect(isWithin([null, undefined, 1, true, ['a', { b: 'c' }]], 20)).toBe(true)
  let deep: object = {}
  for (let depth = 0; depth < 100_000; depth += 1) deep = { deep }
  expect(isWithin(deep, 1000)).toBe(false)
})

it('takes nothing that is no plain data', () => {
  for (const value of [new Map(), new Set(), new Date(), new Uint8Array(2), [new ArrayBuffer(2)], { a: /b/ }])
    expect(isWithin(value, 1000), String(value)).toBe(false)
})
