import { afterEach, expect, it, vi } from 'vitest'
import { indexedTexts } from './indexedTexts.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('BB1131: a database that does not open is waited for 5 s, and closed when it opens after all', async () => {
  vi.useFakeTimers()
  const request = { result: { close: vi.fn<() => void>() }, onsuccess: () => undefined }
  vi.stubGlobal('indexedDB', { open: () => request })
  const told: string[] = []
  const opened = indexedTexts('sandbox').catch((error: Error) => told.push(error.message))
  await vi.advanceTimersByTimeAsync(4_999)
  expect(told).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await opened
  expect(told).toEqual([expect.stringContaining('did not open its database')])
  request.onsuccess()
  expect(request.result.close).toHaveBeenCalledOnce()
})
