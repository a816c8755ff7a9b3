import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from './arbitraries.ts'
import { diff } from './diff.ts'
import { apply, isNoop, parseOperation } from './operation.ts'

const LONE_SURROGATE = /\p{Surrogate}/u

function changedUnits(before: string, after: string): number {
  let units = 0
  for (const component of diff(before, after)) {
    if (typeof component === 'string') units += component.length
    else if (component < 0) units -= component
  }
  return units
}

/** Length of the smallest insert-and-delete difference, by the plain table. */
function editDistance(before: string, after: string): number {
  let row = Array.from({ length: after.length + 1 }, (_, index) => index)
  for (let i = 1; i <= before.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= after.length; j += 1) {
      next.push(before[i - 1] === after[j - 1] ? row[j - 1]! : 1 + Math.min(row[j]!, next[j - 1]!))
    }
    row = next
  }
  return row[after.length]!
}

describe('diff', () => {
  it('OT13: turns one text into the other with the fewest changed units', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const operation = diff(before, after)
        expect(apply(before, operation)).toBe(after)
        expect(operation).toEqual(parseOperation([...operation]))
        expect(changedUnits(before, after)).toBe(editDistance(before, after))
      }),
      { numRuns: 500 },
    )
  })

  it('OT13: equal texts differ by nothing', () => {
    expect(isNoop(diff('abc', 'abc'))).toBe(true)
    expect(diff('', '')).toEqual([])
    expect(diff('', 'abc')).toEqual(['abc'])
    expect(diff('abc', '')).toEqual([-3])
  })

  it('OT13: never splits a surrogate pair', () => {
    expect(diff('a😀b', 'a😁b')).toEqual([1, '😁', -2, 1])
    expect(diff('😀', '🐀')).toEqual(['🐀', -2])
    const pairs = fc.string({ unit: fc.constantFrom('a', '😀', '😁', '🐀'), maxLength: 12 })
    fc.assert(
      fc.property(pairs, pairs, (before, after) => {
        const operation = diff(before, after)
        expect(apply(before, operation)).toBe(after)
        let position = 0
        for (const component of operation) {
          if (typeof component === 'string') {
            expect(component).not.toMatch(LONE_SURROGATE)
          } else {
            const end = position + Math.abs(component)
            expect(before.slice(position, end)).not.toMatch(LONE_SURROGATE)
            position = end
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('OT14: falls back to what differs between common lines when the texts are far apart', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `const value${index} = compute(${index})`)
    const renamed = lines.map((line, index) => (index % 20 === 0 ? line.replace('compute', 'calculate') : line))
    const [before, after] = [lines.join('\n'), renamed.join('\n')]
    expect(apply(before, diff(before, after))).toBe(after)
    expect(changedUnits(before, after)).toBeLessThanOrEqual(1000 * editDistance('compute', 'calculate'))
  })

  it('OT14: lines that all changed in their places are compared one by one', () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `  const value${index} = compute(${index})`)
    const [before, after] = [lines.join('\n'), lines.map((line) => `  ${line}`).join('\n')]
    expect(apply(before, diff(before, after))).toBe(after)
    expect(changedUnits(before, after)).toBe(2 * 5000)
  })

  it('OT14: texts of moved, repeated and changed lines turn into each other', () => {
    const line = fc.constantFrom('', 'same', 'other', '}', '😀', '😁', 'a line of its own').map((text) => `${text}\n`)
    const filler = (letter: string) => Array.from({ length: 300 }, (_, index) => `${letter}${index}\n`).join('')
    const text = fc.tuple(fc.array(line), fc.constantFrom('x', 'y'), fc.array(line), fc.constantFrom('', 'end'))
    fc.assert(
      fc.property(text, text, (one, two) => {
        const [before, after] = [one, two].map(([head, letter, tail, end]) =>
          [head.join(''), filler(letter), tail.join(''), end].join(''),
        ) as [string, string]
        const operation = diff(before, after)
        expect(apply(before, operation)).toBe(after)
        expect(operation).toEqual(parseOperation([...operation]))
      }),
    )
  })

  it('OT14: replaces everything between common start and end when no line is alike', () => {
    const before = `same${'ab'.repeat(40_000)}end`
    const after = `same${'cd'.repeat(50_000)}end`
    expect(diff(before, after)).toEqual([4, 'cd'.repeat(50_000), -80_000, 3])
  })
})
