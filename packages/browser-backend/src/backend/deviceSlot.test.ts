import { expect, it } from 'vitest'
import { takeSlots } from './deviceSlot.ts'

/** Locks of a browser: `window()` is one window's, and what it gives back ends that window. */
function browserLocks() {
  const held = new Set<string>()
  return function window() {
    const own = new Set<string>()
    const request = async (name: string, _: LockOptions, granted: (lock: Lock | null) => unknown) => {
      if (held.has(name)) return granted(null)
      held.add(name)
      own.add(name)
      return granted({ name, mode: 'exclusive' })
    }
    const end = () => own.forEach((name) => held.delete(name))
    return { locks: { request: request as LockManager['request'] }, end }
  }
}

it('BB228: every window has a slot of its own, and takes over what windows that are gone have left', async () => {
  const window = browserLocks()
  const first = window()
  const second = window()
  expect(await takeSlots('s', [], first.locks)).toEqual({ own: 0, left: [] })
  expect(await takeSlots('s', [], second.locks)).toEqual({ own: 1, left: [] })
  const third = window()
  expect(await takeSlots('s', [0, 1], third.locks)).toEqual({ own: 2, left: [] })
  first.end()
  second.end()
  expect(await takeSlots('s', [0, 1, 2], window().locks)).toEqual({ own: 0, left: [1] })
  expect(await takeSlots('s', [], null)).toEqual({ own: 0, left: [] })
})
