import { afterEach, expect, it, vi } from 'vitest'
import { followModuleView } from './followModuleView.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('BB1038: the address is looked at every 500 ms, and tells which file the preview runs', () => {
  vi.useFakeTimers()
  const location = { search: '?file=src/One.tsx&moduleview' }
  vi.stubGlobal('window', { location })
  const seen: (string | null)[] = []
  const stop = followModuleView('src/One.tsx', (path) => seen.push(path))
  vi.advanceTimersByTime(2000)
  expect(seen).toEqual([])
  location.search = '?file=src/Two.tsx:7&moduleview'
  vi.advanceTimersByTime(499)
  expect(seen).toEqual([])
  vi.advanceTimersByTime(1)
  expect(seen).toEqual(['src/Two.tsx'])
  location.search = '?file=src/Two.tsx:9&moduleview'
  vi.advanceTimersByTime(500)
  location.search = '?file=src/Two.tsx'
  vi.advanceTimersByTime(500)
  expect(seen).toEqual(['src/Two.tsx', null])
  stop()
  location.search = '?file=src/One.tsx&moduleview'
  vi.advanceTimersByTime(500)
  expect(seen).toHaveLength(2)
})
