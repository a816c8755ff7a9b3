import { expect, it } from 'vitest'
import type { FromRunner } from '../common/messages.ts'
import { PageEdge } from './pageEdge.ts'

function begin(now = () => 0) {
  const said: string[] = []
  const edge = new PageEdge({
    hasFile: (path) => path === '/src/App.tsx' || path === '/../secret',
    onLeftOut: (words) => said.push(words),
    now,
  })
  return { edge, said }
}
const problem = { message: 'no', file: '/a.ts', line: 1, column: 2, frame: null }
const agreed: FromRunner[] = [
  { type: 'start' },
  { type: 'console', level: 'log', text: 'x'.repeat(10_000) },
  { type: 'problem', problem },
  { type: 'rendered' },
  { type: 'address', path: '/a?b=//c#d' },
  { type: 'open', file: '/src/App.tsx', line: 3, column: 1 },
  { type: 'compiled', id: 1, script: 'x'.repeat(10_000_000), css: '', map: '{}', includes: ['/b.scss'] },
  { type: 'compiled', id: 2, problem },
]

it('BB980: what has the agreed form is taken, also a large file that was compiled', () => {
  const { edge, said } = begin()
  expect(agreed.map((message) => edge.take(message))).toEqual(agreed)
  expect(said).toEqual([])
})

const hostile: [string, unknown][] = [
  ['nothing', null],
  ['a text', 'start'],
  ['another type', { type: 'eval', text: '1' }],
  ['a type that is no text', { type: { toString: () => 'start' } }],
  ['a large text', { type: 'console', level: 'log', text: 'x'.repeat(100_000_000) }],
  [
    'something large beside',
    { type: 'console', level: 'log', text: '', more: Array.from({ length: 100_000 }, () => 0) },
  ],
  ['another level', { type: 'console', level: 'shout', text: '' }],
  ['no text', { type: 'console', level: 'log', text: { length: 1 } }],
  ['an address elsewhere', { type: 'address', path: 'https://elsewhere.example/' }],
  ['an address of another server', { type: 'address', path: '//elsewhere.example/' }],
  ['an address that browsers take for one', { type: 'address', path: '/\\elsewhere.example/' }],
  ['a long address', { type: 'address', path: `/${'a'.repeat(4_000)}` }],
  ['a place that is no number', { type: 'open', file: '/src/App.tsx', line: '1', column: 1 }],
  ['a place before the beginning', { type: 'open', file: '/src/App.tsx', line: -1, column: 1 }],
  ['a file outside', { type: 'open', file: '/../secret', line: 1, column: 1 }],
  ['a file without a place in the project', { type: 'open', file: 'src/App.tsx', line: 1, column: 1 }],
  ['a problem of another form', { type: 'problem', problem: { ...problem, message: 1 } }],
  ['a file that was not compiled to text', { type: 'compiled', id: 1, script: {}, css: '' }],
]
it.each(hostile)('BB980: %s is left out, and told once', (_what, data) => {
  const { edge, said } = begin()
  expect([edge.take(data), edge.take(data)]).toEqual([undefined, undefined])
  expect(said).toEqual([expect.stringContaining('left out')])
})

it('BB980: a file that the sandbox does not have is not opened', () => {
  const { edge, said } = begin()
  expect(edge.take({ type: 'open', file: '/src/Other.tsx', line: 1, column: 1 })).toBeUndefined()
  expect(said).toEqual([expect.stringContaining('not part of this sandbox')])
})

it('BB981: a flood ends, is told once, and leaves room for everything else', () => {
  let now = 0
  const { edge, said } = begin(() => now)
  const taken = (message: FromRunner, times: number) =>
    Array.from({ length: times }, () => edge.take(message)).filter(Boolean).length
  const line: FromRunner = { type: 'console', level: 'log', text: 'again' }
  const open: FromRunner = { type: 'open', file: '/src/App.tsx', line: 1, column: 1 }
  expect([taken(line, 10_000), taken(open, 100), taken({ type: 'start' }, 3)]).toEqual([500, 5, 1])
  expect(said).toEqual([expect.stringContaining('more than can be shown')])
  expect(taken({ type: 'address', path: '/' }, 1)).toBe(1)
  now = 2000
  expect([taken(line, 10_000), taken(open, 100), taken({ type: 'start' }, 3)]).toEqual([200, 2, 0])
  expect(said).toHaveLength(1)
})
