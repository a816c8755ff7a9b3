import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoryCaches } from '../testing/memoryCaches.ts'
import { forgetKeptAnswers } from './keptAnswers.ts'
import { hasKeptCompilation, keptCompilation } from './keptCompilation.ts'

const API = 'http://app.boxyard.test/api/v1/sandboxes/one'
const compilation = { project: 'p', pack: null, modules: [] }

beforeEach(() => {
  vi.stubGlobal('caches', memoryCaches())
})
afterEach(() => vi.unstubAllGlobals())

test('BB960: what a compiler made is there for the same one, and for no other', async () => {
  expect(await hasKeptCompilation(API)).toBe(false)
  await keptCompilation(API, 'this')!.write(compilation)
  expect(await hasKeptCompilation(API)).toBe(true)
  expect(await keptCompilation(API, 'this')!.read()).toEqual(compilation)
  expect(await keptCompilation(API, 'newer')!.read()).toBeUndefined()
  expect(await keptCompilation(API.replace('one', 'two'), 'this')!.read()).toBeUndefined()
})

test('BB960, BB954: it goes with everything else that is kept of a sandbox', async () => {
  await keptCompilation(API, 'this')!.write(compilation)
  await forgetKeptAnswers()
  expect(await keptCompilation(API, 'this')!.read()).toBeUndefined()
})

test('BB960: a browser that keeps nothing has none, and the preview of no sandbox keeps any', async () => {
  vi.stubGlobal('caches', {
    keys: async () => [],
    match: () => Promise.reject(new DOMException('No storage here', 'SecurityError')),
  })
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  expect(await hasKeptCompilation(API)).toBe(false)
  expect(await keptCompilation(API, 'this')!.read()).toBeUndefined()
  expect(warn).toHaveBeenCalledOnce()
  expect(keptCompilation('/__boxyard', 'this')).toBeNull()
})
