import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { greetPreviews } from './greetPreviews.ts'

const ORIGIN = 'http://one-8080.preview.boxyard.test'
const HELLO = { type: 'boxyard:preview-hello', path: '/a' }

let now = 0
beforeEach(() => {
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const frame = (parent: unknown = window) => ({ parent, postMessage: vi.fn() })
const say = (source: object, data: unknown, origin = ORIGIN) =>
  window.dispatchEvent(Object.assign(new Event('message'), { data, origin, source }))

it('BB982: a page of the preview in a frame of this window gets a port, and nobody else does', () => {
  const onPage = vi.fn()
  const stop = greetPreviews({ origin: () => ORIGIN, onPage })
  const shown = frame()
  say(shown, HELLO, 'http://two-8080.preview.boxyard.test')
  // In a frame of the preview's own, or with no window at all.
  say(frame({}), HELLO)
  say({ postMessage: vi.fn() }, HELLO)
  for (const path of [
    '//elsewhere.example/',
    '/\\elsewhere.example',
    'https://elsewhere.example/',
    `/${'a'.repeat(5_000)}`,
    1,
  ])
    say(shown, { ...HELLO, path })
  expect(onPage).not.toHaveBeenCalled()
  say(shown, HELLO)
  expect(onPage).toHaveBeenCalledExactlyOnceWith(expect.any(MessagePort), '/a', expect.any(Number))
  expect(shown.postMessage).toHaveBeenCalledOnce()
  stop()
  say(shown, HELLO)
  expect(onPage).toHaveBeenCalledOnce()
})

it('BB982: pages of one window have one number, also for who takes over, and those of another window have another', () => {
  const numbers: number[] = []
  const greet = () =>
    greetPreviews({ origin: () => ORIGIN, onPage: (_port, _address, shownIn) => numbers.push(shownIn) })
  const [first, second] = [frame(), frame()]
  const stop = greet()
  say(first, HELLO)
  say(first, HELLO)
  stop()
  greet()
  say(second, HELLO)
  say(first, HELLO)
  expect(numbers).toEqual([numbers[0], numbers[0], numbers[2], numbers[0]])
  expect(numbers[2]).not.toBe(numbers[0])
})

it('BB982: a window that shows new pages without an end is answered no more, which is told once, until it has rested', () => {
  const told = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const onPage = vi.fn()
  greetPreviews({ origin: () => ORIGIN, onPage })
  const shown = frame()
  for (let time = 0; time < 500; time += 1) say(shown, HELLO)
  expect(onPage).toHaveBeenCalledTimes(20)
  expect(told).toHaveBeenCalledOnce()
  say(frame(), HELLO)
  expect(onPage).toHaveBeenCalledTimes(21)
  now = 1000
  say(shown, HELLO)
  expect(onPage).toHaveBeenCalledTimes(22)
})
