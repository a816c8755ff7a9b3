import { expect, it } from 'vitest'
import { Handles } from './handles.ts'
import { Timers } from './timers.ts'
import type { Loose } from './loose.ts'

function begin() {
  const handles = new Handles(queueMicrotask)
  return { handles, timers: new Timers(handles) }
}

it('BB1110: the work of a timer has that timer as its this', async () => {
  const { timers } = begin()
  const seen = new Map<unknown, unknown>()
  const begun = await new Promise<unknown[]>((resolve) => {
    const work = function (this: unknown, name: unknown) {
      seen.set(name, this)
      if (seen.size === 3) resolve([immediate, timeout, interval])
    } as (...given: unknown[]) => void
    const immediate = timers.setImmediate(work, 'immediate')
    const timeout = timers.setTimeout(work, 1, 'timeout')
    const interval = timers.setInterval(
      function (this: unknown, name: unknown) {
        timers.clearTimeout(interval)
        work.call(this, name)
      } as (...given: unknown[]) => void,
      20,
      'interval',
    )
  })
  expect(['immediate', 'timeout', 'interval'].map((name) => seen.get(name))).toEqual(begun)
})

it('BB1110: an immediate keeps a program as long as it is waited for', () => {
  const { handles, timers } = begin()
  const immediate = timers.setImmediate(() => undefined)
  expect([immediate.hasRef(), handles.isIdle]).toEqual([true, false])
  expect([immediate.unref().hasRef(), handles.isIdle]).toEqual([false, true])
  expect([immediate.ref().hasRef(), handles.isIdle]).toEqual([true, false])
  ;(immediate as Loose)[Symbol.dispose ?? Symbol.for('nodejs.dispose')]()
  expect([immediate.ref().hasRef(), handles.isIdle]).toEqual([false, true])
})
