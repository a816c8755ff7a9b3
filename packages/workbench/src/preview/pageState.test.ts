import type { ConsoleValue, FromAgent } from '@boxyard/browser-backend/agent-messages'
import { expect, it, vi } from 'vitest'
import { pageMessage } from './pageMessage.ts'
import { countsOf, detailOfProblem, heard, MOST_LINES, nothingSaid, placeOfProblem } from './pageState.ts'
import { PageStore } from './pageStore.ts'

const said = (...texts: string[]): FromAgent[] =>
  texts.map((text) => ({ type: 'console', level: 'log', values: [{ kind: 'text', text }] }))
const after = (messages: readonly FromAgent[]) => messages.reduce(heard, nothingSaid)

it('WB471: what is said in a row is one line with its number, and the newest lines are kept', () => {
  const { lines } = after(said('a', 'a', 'b', 'a'))
  expect(lines.map(({ count }) => count)).toEqual([2, 1, 1])
  expect(countsOf(lines)).toEqual({ debug: 0, log: 4, info: 0, warn: 0, error: 0 })
  const many = after(said(...Array.from({ length: MOST_LINES + 3 }, (_, index) => String(index))))
  expect([many.lines.length, many.dropped, many.lines[0]?.values]).toEqual([
    MOST_LINES,
    3,
    [{ kind: 'text', text: '3' }],
  ])
  expect(heard(heard(many, { type: 'hello' }), { type: 'silent' })).toEqual({ ...nothingSaid, nextKey: many.nextKey })
  expect(heard(many, { type: 'hello' })).toMatchObject({ speaks: true, lines: [], dropped: 0 })
})

it('WB471: what is said between two frames of the screen is shown at once, and a flood ends', () => {
  const frames: (() => void)[] = []
  const store = new PageStore((run) => frames.push(run))
  let changes = 0
  store.subscribe(() => (changes += 1))
  for (const message of said(...Array.from({ length: 1_000 }, (_, index) => String(index)))) store.hear(message)
  store.hear({ type: 'address', path: '/still', canGoBack: false, canGoForward: false })
  expect([frames.length, changes]).toEqual([1, 0])
  frames[0]!()
  expect([changes, store.getSnapshot().lines.length, store.getSnapshot().path]).toEqual([1, 200, '/still'])
})

it('WB471: what is said at a page that nobody sees takes no more room with every word', () => {
  const frames: (() => void)[] = []
  const store = new PageStore((run) => frames.push(run))
  const address = (path: string): FromAgent => ({ type: 'address', path, canGoBack: false, canGoForward: false })
  for (let at = 0; at < 10_000; at += 1) store.hear(address(`/${at}`))
  // None of it waits any more, so it is known before there is a frame.
  expect(store.getSnapshot().path).toMatch(/^\/9\d\d\d$/)
  expect(frames).toHaveLength(1)
  frames[0]!()
  expect(store.getSnapshot().path).toBe('/9999')
})

it('WB472: only messages of the page’s origin in the agreed form are taken', () => {
  const origin = 'http://box-3000.preview.test'
  const message = { type: 'console', level: 'log', values: [{ kind: 'plain', text: '1' }] }
  const of = (changed: object, from = origin) =>
    pageMessage({ data: { boxyard: 'preview', message: { ...message, ...changed } }, origin: from }, origin)
  expect(of({})).toEqual(message)
  expect(of({}, 'http://box-3001.preview.test')).toBeUndefined()
  expect(of({ level: 'shout' })).toBeUndefined()
  expect(of({ extra: 1 })).toBeUndefined()
  expect(of({ values: [{ kind: 'text', text: 'x'.repeat(10_001) }] })).toBeUndefined()
  let deep: ConsoleValue = { kind: 'plain', text: '0' }
  for (let depth = 0; depth < 9; depth += 1) deep = { kind: 'object', name: '', members: [['a', deep]], more: 0 }
  expect(of({ values: [deep] })).toBeUndefined()
  expect(pageMessage({ data: null, origin }, origin)).toBeUndefined()
  const looked = vi.fn()
  const large = Array.from({ length: 300_000 }, () => message.values[0])
  Object.defineProperty(large, 299_999, { get: looked })
  expect(of({ values: large })).toBeUndefined()
  expect(looked).not.toHaveBeenCalled()
})

it('WB473: a problem leads to the first place inside the workspace', () => {
  const frame = (file: string | null, line: number) => ({ name: '', file, line, column: 1 })
  const problem = {
    message: '',
    detail: null,
    frames: [frame(null, 1), frame('/../etc/passwd', 2), frame('/src/a.ts', 3)],
  }
  expect(placeOfProblem(problem)).toEqual({ path: 'src/a.ts', line: 3, column: 1 })
  expect(placeOfProblem({ ...problem, frames: [] })).toBeUndefined()
})

it.each([
  ['x is not a function', null, undefined],
  ['SyntaxError: Invalid token', 'SyntaxError: Invalid token', undefined],
  ['Error: no', 'Error: no\n    at run (a.js:1:2)', '    at run (a.js:1:2)'],
  ['Error: no', 'run@a.js:1:2', 'run@a.js:1:2'],
  ['Error', 'Error: more than that', 'Error: more than that'],
])('WB1068: of the problem %j with the details %j those are shown that say more', (message, detail, shown) => {
  expect(detailOfProblem({ message, detail })).toBe(shown)
})
