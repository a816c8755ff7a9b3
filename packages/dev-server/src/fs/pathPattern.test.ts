import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathPattern } from './pathPattern.ts'

const closed = '**/{node_modules,.git}/*'

describe('a pattern of paths', () => {
  it.each([
    [closed, ['node_modules/a', 'a/b/.git/HEAD'], ['node_modules', 'a/node_modules/b/c', 'xnode_modules/a']],
    ['**/skip/**', ['skip/a', 'a/skip/b/c'], ['skip', 'a/skipped/b', 'askip/b']],
    ['src/*.ts', ['src/a.ts', 'src/.ts'], ['src/a/b.ts', 'a/src/b.ts', 'src/a.tsx']],
    ['a/**/b', ['a/b', 'a/x/y/b'], ['a/xb', 'ab']],
    ['?[ab][!c].{js,ts}', ['xad.js', 'xbd.ts'], ['xac.js', 'xcd.js', '/ad.js', 'xa/.js']],
    ['a**z', ['az', 'a/b/z'], ['a/b/zz/a']],
    ['a**/z', ['a/z', 'ab/c/z'], ['az']],
    ['{a', ['{a'], ['a']],
    ['[', ['['], ['a']],
  ])('%s', (glob, fitting, others) => {
    const fits = pathPattern(glob)
    expect(fitting.filter((path) => !fits(path))).toEqual([])
    expect(others.filter(fits)).toEqual([])
  })

  it('is what an expression that tries every way would find', () => {
    const part = fc.constantFrom('a', 'b', '/', '**/', '/**/', '**', '*', '?', '[ab]', '[!a]')
    const path = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/'), maxLength: 10 })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), path, (parts, text) => {
        const glob = parts.join('')
        expect([glob, text, pathPattern(glob)(text)]).toEqual([glob, text, expressionOf(glob).test(text)])
      }),
      { numRuns: 1000 },
    )
  })

  it('is decided without trying every way through it', () => {
    const fits = pathPattern('**a**a**a**a**a**a**a**b')
    expect(fits('a'.repeat(4000))).toBe(false)
    expect(fits(`${'a'.repeat(4000)}b`)).toBe(true)
  })
})

function expressionOf(glob: string): RegExp {
  const sources = glob.split(/((?<=^|\/)\*\*\/|\*\*+|\*|\?|\[[^\]]+\])/).map((part) => {
    if (part === '**/') return '(?:[^/]*/)*'
    if (part.startsWith('**')) return '.*'
    if (part === '*') return '[^/]*'
    if (part === '[!a]') return '[^a/]'
    return part === '?' ? '[^/]' : part
  })
  return new RegExp(`^${sources.join('')}$`, 's')
}
