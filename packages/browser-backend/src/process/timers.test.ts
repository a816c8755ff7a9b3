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
  const begun: unknown[] = []
  const seen: unknown[] = []
  await new Promise<void>((resolve) => {
    const work = function (this: unknown, name: unknown) {
      seen.push(this, name)
      if (seen.length === 6) resolve()
    } as (...given: unknown[]) => void
    begun.push(timers.setImmediate(work, 'immediate'))
    begun.push(timers.setTimeout(work, 1, 'timeout'))
    const interval = timers.setInterval(
      function (this: unknown, name: unknown) {
        timers.clearTimeout(interval)
        work.call(this, name)
      } as (...given: unknown[]) => void,
      20,
      'interval',
    )
    begun.push(interval)
  })
  expect(seen.filter((_, index) => index % 2 === 0).map((one) => begun.indexOf(one))).toEqual([0, 1, 2])
  expect(seen.filter((_, index) => index % 2 === 1)).toEqual(['immediate', 'timeout', 'interval'])
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
