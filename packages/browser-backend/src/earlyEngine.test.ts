import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { EarlyEngine } from './earlyEngine.ts'
import type { FromEngine, ToEngine } from './engineWorker.ts'
import { keptCompilation } from './offline/keptCompilation.ts'
import type { Caches } from './offline/keptAnswers.ts'
import { startSandboxBackend } from './startSandboxBackend.ts'
import { memoryCaches } from './testing/memoryCaches.ts'

class SilentWorker {
  static made: SilentWorker[] = []
  readonly name: string
  readonly heard: ToEngine[] = []
  isOver = false
  onmessage: ((event: { data: FromEngine }) => void) | null = null

  constructor(_script: string | URL, { name }: { name: string }) {
    this.name = name
    SilentWorker.made.push(this)
  }

  postMessage(message: ToEngine): void {
    this.heard.push(message)
  }

  terminate(): void {
    this.isOver = true
  }
}

const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)
const answerOf = (bytes: Uint8Array<ArrayBuffer>) =>
  new Response(bytes, { headers: { 'content-type': 'application/wasm' } })
const PREVIEW = 'http://one-5173.preview.boxyard.test'

const API = 'http://app.boxyard.test/api/v1/sandboxes/one'

function early(onShown = () => undefined as void, isPrepared = false): EarlyEngine {
  return new EarlyEngine({
    script: '/engine.js',
    wasm: '/oxc.wasm',
    api: API,
    previewOrigin: PREVIEW,
    isPrepared,
    onShown,
  })
}
const hello = (frame: object) => {
  const data = { type: 'boxyard:preview-hello', path: '/' }
  return Object.assign(new Event('message'), {
    data,
    origin: PREVIEW,
    source: Object.assign(frame, { parent: window }),
  })
}
const kinds = ({ heard }: SilentWorker) => heard.map(({ type }) => type)

let caches: Caches
beforeEach(() => {
  SilentWorker.made = []
  caches = memoryCaches()
  vi.stubGlobal('caches', caches)
  vi.stubGlobal('Worker', SilentWorker)
  vi.stubGlobal('location', new URL('http://app.boxyard.test/sandbox/one'))
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
})
afterEach(() => vi.unstubAllGlobals())

it('BB951: reads and compiles a sandbox for its preview with no back end, and says when it is shown', async () => {
  vi.stubGlobal('fetch', async (asked: string) => {
    if (asked === API) return new Response('{"data":1}', { status: 200 })
    throw new TypeError('Failed to fetch')
  })
  const onShown = vi.fn()
  early(onShown)
  const [engine] = SilentWorker.made
  window.dispatchEvent(hello({ postMessage: () => undefined }))
  await expect.poll(() => kinds(engine!)).toContain('read')
  expect(kinds(engine!).slice(0, 2)).toEqual(['begin', 'page'])
  const answer = { status: 200, body: '{"data":1}' }
  expect(engine!.heard).toContainEqual({ type: 'read', address: API, answer })
  expect(onShown).not.toHaveBeenCalled()
  engine!.onmessage!({ data: { type: 'rendered' } })
  expect(onShown).toHaveBeenCalledOnce()
})

it('BB951: the back end takes it over as it is, with what it has said, and answers pages alone from then on', () => {
  const engine = early()
  const [worker] = SilentWorker.made
  worker!.onmessage!({ data: { type: 'console', level: 'log', text: 'said before' } })
  const backend = startSandboxBackend({
    sandboxId: 'one',
    access: 'write',
    person: null,
    previewOrigin: () => PREVIEW,
    fork: null,
    module: null,
    early: engine,
    onOpenFile: () => undefined,
    onShown: () => undefined,
    onConverted: () => undefined,
    onAway: () => undefined,
  })
  expect(SilentWorker.made.map(({ name }) => name)).toEqual(['compile', 'files'])
  expect(SilentWorker.made[1]!.heard).toContainEqual({ type: 'console', level: 'log', text: 'said before' })
  // It reads nothing again, and gets the files from whoever holds them.
  expect(kinds(worker!)).toEqual(['begin', 'files-from'])
  const greeted = vi.fn()
  window.dispatchEvent(hello({ postMessage: greeted }))
  expect(greeted).toHaveBeenCalledOnce()
  backend.dispose()
  expect(worker!.isOver).toBe(true)
})

it.each([
  [
    'hands over its compiler as soon as it is there',
    async () => answerOf(EMPTY_MODULE),
    expect.any(WebAssembly.Module),
  ],
  ['names the address of a compiler that it could not make', async () => answerOf(Uint8Array.of(1)), '/oxc.wasm'],
])('BB951: %s', async (_what, fetched, source) => {
  vi.stubGlobal('fetch', fetched)
  early()
  const [worker] = SilentWorker.made
  await expect.poll(() => worker!.heard, { timeout: 10_000 }).toContainEqual({ type: 'compiler', source })
})

it('BB960: fetches the compiler behind everything else where an earlier visit has compiled, and when the worker asks', async () => {
  const fetched = vi.fn(async (_asked: string) => answerOf(EMPTY_MODULE))
  vi.stubGlobal('fetch', fetched)
  await keptCompilation(API, 'any')!.write({ project: '', pack: null, modules: [] })
  const engine = early()
  const [worker] = SilentWorker.made
  await engine.whenFetched
  expect(fetched).not.toHaveBeenCalledWith('/oxc.wasm')
  worker!.onmessage!({ data: { type: 'compiler-wanted' } })
  await expect
    .poll(() => worker!.heard, { timeout: 10_000 })
    .toContainEqual({ type: 'compiler', source: expect.any(WebAssembly.Module) })
})

it('BB955: leaves it to the worker to read what nobody answers', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  early()
  const [worker] = SilentWorker.made
  await expect.poll(() => worker!.heard).toContainEqual({ type: 'read', address: API })
})

it('BB962: compiles nothing before the page shows what was compiled ahead, and then answers the page that was there before', async () => {
  const onShown = vi.fn()
  early(onShown, true)
  // A page that starts again is one page.
  const frame = { postMessage: () => undefined }
  window.dispatchEvent(hello(frame))
  window.dispatchEvent(hello(frame))
  expect(SilentWorker.made).toEqual([])
  const said = (data: string) =>
    Object.assign(new Event('message'), { data, origin: PREVIEW, source: { parent: window } })
  window.dispatchEvent(Object.assign(said('boxyard:preview-prepared-shown'), { origin: 'http://other.test' }))
  expect(onShown).not.toHaveBeenCalled()
  window.dispatchEvent(said('boxyard:preview-prepared-shown'))
  expect(onShown).toHaveBeenCalledOnce()
  const [worker] = SilentWorker.made
  expect(kinds(worker!)).toEqual(['begin', 'page'])
  expect(worker!.heard[0]).toMatchObject({ isPrepared: true })
})

it('BB962: whoever takes it over, or waits no longer, has it compile', () => {
  const engine = early(undefined, true)
  engine.start()
  engine.start()
  expect(SilentWorker.made).toHaveLength(1)
  expect(engine.take(() => undefined)).toBe(SilentWorker.made[0])
})
