import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { debounced } from './debounced.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('WB873: the files are read when nothing has changed for 100 ms, and after 1000 ms at the latest', () => {
  const work = vi.fn()
  const call = debounced(work, { quiet: 100, maximum: 1000 })
  call()
  vi.advanceTimersByTime(99)
  call()
  vi.advanceTimersByTime(99)
  expect(work).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(work).toHaveBeenCalledTimes(1)
  for (let passed = 0; passed < 1000; passed += 50) {
    call()
    vi.advanceTimersByTime(50)
  }
  expect(work).toHaveBeenCalledTimes(2)
})
