import { afterEach, expect, it, vi } from 'vitest'
import { takeEarlySandbox, takesEarlyPreview } from './earlySandbox.ts'

afterEach(() => vi.unstubAllGlobals())

it.each([
  ['/sandbox/abc', '', true],
  ['/sandbox/abc', '?file=/src/App.tsx', true],
  ['/sandbox/abc', '?moduleview=1', false],
  ['/sandbox/abc', '?fork=true', false],
  ['/devbox/abc', '', false],
  ['/vscode/abc', '', false],
])('a preview before the app stands at %s%s: %s', (pathname, search, expected) => {
  expect(takesEarlyPreview({ pathname, search })).toBe(expected)
})

it('the preview of another sandbox, or one that is not wanted, ends when the app looks for one', () => {
  const taken = { engine: 'engine', frame: 'frame', address: 'address' }
  const early = (id: string) => ({ id, whenFetched: Promise.resolve(), take: vi.fn(() => taken), drop: vi.fn() })
  const page = { boxyardEarlySandbox: early('one') as ReturnType<typeof early> | undefined }
  vi.stubGlobal('window', page)
  const [one, two, three] = [page.boxyardEarlySandbox!, early('two'), early('three')]
  expect(takeEarlySandbox('one', true)).toBe(taken)
  expect([page.boxyardEarlySandbox, one.drop.mock.calls.length]).toEqual([undefined, 0])
  expect(takeEarlySandbox('one', true)).toBeUndefined()
  page.boxyardEarlySandbox = two
  expect(takeEarlySandbox('one', true)).toBeUndefined()
  page.boxyardEarlySandbox = three
  expect(takeEarlySandbox('three', false)).toBeUndefined()
  expect([two, three].map(({ take, drop }) => [take.mock.calls.length, drop.mock.calls.length])).toEqual([
    [0, 1],
    [0, 1],
  ])
})
