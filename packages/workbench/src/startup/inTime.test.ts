import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inTime } from './inTime.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('WB1010: waits for a database that opens in time', async () => {
  const opening = new Promise<string>((resolve) => setTimeout(() => resolve('open'), 4_999))
  const opened = inTime(opening)
  await vi.advanceTimersByTimeAsync(4_999)
  expect(await opened).toBe('open')
  expect(vi.getTimerCount()).toBe(0)
})

it('WB1010: waits no longer than 5 s', async () => {
  const told: unknown[] = []
  const opened = inTime(new Promise(() => undefined)).catch((error: unknown) => told.push(error))
  await vi.advanceTimersByTimeAsync(4_999)
  expect(told).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await opened
  expect(told).toEqual([new Error('It did not open within 5000 ms')])
})

it('WB1010: waits no more once it can not be opened', async () => {
  const refused = new Error('The browser forbids it')
  await expect(inTime(Promise.reject(refused))).rejects.toBe(refused)
  expect(vi.getTimerCount()).toBe(0)
})
