import type { ConsoleValue, FromAgent, PageProblem } from '@boxyard/browser-backend/agent-messages'
import { expect, it, vi } from 'vitest'
import { pageMessage } from './pageMessage.ts'
import { detailOfProblem, heard, MOST_LINES, nothingSaid, placeOfProblem, saidAt } from './pageState.ts'
import { PageStore } from './pageStore.ts'

const none = { debug: 0, log: 0, info: 0, warn: 0, error: 0 }
const said = (...texts: string[]): FromAgent[] =>
  texts.map((text) => ({ type: 'console', level: 'log', values: [{ kind: 'text', text }] }))
const after = (messages: readonly FromAgent[]) => messages.reduce(heard, nothingSaid)

it('WB471: what is said in a row is one line with its number, and the newest lines are kept', () => {
  const { lines, counts } = after(said('a', 'a', 'b', 'a'))
  expect(lines).toMatchObject([{ count: 2 }, { count: 1 }, { count: 1 }])
  expect(counts).toEqual({ ...none, log: 4 })
  const many = after(said(...Array.from({ length: MOST_LINES + 3 }, (_, index) => String(index))))
  expect([many.lines.length, many.dropped.log, many.counts.log]).toEqual([MOST_LINES, 3, MOST_LINES + 3])
  expect(many.lines[0]).toMatchObject({ values: [{ kind: 'text', text: '3' }] })
  expect(heard(heard(many, { type: 'hello' }), { type: 'silent' })).toEqual({ ...nothingSaid, nextKey: many.nextKey })
  expect(heard(many, { type: 'hello' })).toMatchObject({ speaks: true, lines: [], dropped: none, counts: none })
})

it('WB1076: what is left out of a flood stands at its place, and counts', () => {
  const gap: FromAgent = { type: 'left out', lines: { ...none, warn: 1_000, log: 5 } }
  const state = after([...said('first'), gap, ...said('last')])
  expect(state.lines).toMatchObject([{ level: 'log' }, { leftOut: { warn: 1_000 } }, { level: 'log' }])
  expect(state.counts).toEqual({ ...none, log: 7, warn: 1_000 })
  expect([saidAt(gap.lines, new Set()), saidAt(gap.lines, new Set(['warn']))]).toEqual([1_005, 5])
  const later = said(...Array.from({ length: MOST_LINES }, (_, index) => String(index))).reduce(heard, state)
  expect(later.dropped).toEqual({ ...none, log: 7, warn: 1_000 })
})

it('WB471: what is said between two frames of the screen is shown at once, the newest of it too', () => {
  const frames: (() => void)[] = []
  const store = new PageStore((run) => frames.push(run))
  let changes = 0
  store.subscribe(() => (changes += 1))
  for (const message of said(...Array.from({ length: 1_000 }, (_, index) => String(index)))) store.hear(message)
  store.hear({ type: 'address', path: '/still', canGoBack: false, canGoForward: false })
  expect([frames.length, changes]).toEqual([1, 0])
  frames[0]!()
  const { lines, counts, path } = store.getSnapshot()
  expect([changes, lines.length, counts.log, path]).toEqual([1, MOST_LINES, 1_000, '/still'])
  expect(lines.at(-1)).toMatchObject({ values: [{ text: '999' }] })
})

const problemOf = (message: string, more: Partial<PageProblem> = {}): FromAgent => ({
  type: 'problem',
  problem: { message, detail: null, frames: [], cause: 'running', isShown: false, ...more },
})

it('WB1077: a problem is an error in the console once, with the place that it leads to', () => {
  const frames = [{ name: '', file: '/src/a.ts', line: 3, column: 1 }]
  const state = after([problemOf('Error: no', { frames, detail: 'Error: no\n    at a.ts:3:1' }), ...said('then')])
  expect(state.counts).toEqual({ ...none, error: 1, log: 1 })
  expect(state.lines[0]).toMatchObject({
    level: 'error',
    values: [{ kind: 'text', text: 'Error: no\n    at a.ts:3:1' }],
    place: { path: 'src/a.ts', line: 3, column: 1 },
  })
  expect(state.problem?.message).toBe('Error: no')
  // The page shows this one itself.
  const shown = after([problemOf('Error: no', { isShown: true })])
  expect([shown.problem, shown.counts.error]).toEqual([undefined, 1])
  expect(after([problemOf('Error: no'), problemOf('Error: no'), problemOf('Error: other')]).counts.error).toBe(3)
})

it('WB1077: what is wrong with the code is one line while it stands, and another one the next time', () => {
  const wrong = (message: string) => problemOf(message, { cause: 'compiling', isShown: true })
  const typed = [wrong('no <'), ...said('meanwhile'), wrong('no <h'), wrong('no <h'), wrong('no <h1')]
  const state = after(typed)
  expect(state.counts).toEqual({ ...none, error: 1, log: 1 })
  expect(state.lines).toMatchObject([{ level: 'log' }, { level: 'error', values: [{ text: 'no <h1' }], count: 1 }])
  const next = after([...typed, { type: 'solved' }, wrong('no <h1')])
  expect([next.counts.error, next.lines.length]).toEqual([2, 3])
  expect(after([...typed, { type: 'clear' }, wrong('no <p')]).counts.error).toBe(1)
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
  const leftOut = { type: 'left out', lines: { ...none, log: 3 } }
  const ofMessage = (data: object) => pageMessage({ data: { boxyard: 'preview', message: data }, origin }, origin)
  expect(ofMessage(leftOut)).toEqual(leftOut)
  expect(ofMessage({ ...leftOut, lines: { ...none, log: -3 } })).toBeUndefined()
  expect(ofMessage(problemOf('no'))).toEqual(problemOf('no'))
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
