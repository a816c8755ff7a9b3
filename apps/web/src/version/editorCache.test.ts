import { expect, it } from 'vitest'
import { editorCache } from './editorCache.ts'
import type { WorkerContainer } from './editorCache.ts'
import type { VersionReport } from './editorVersionMachine.ts'

/** A worker of a build, which answers as editorCacheWorker.js does. */
class FakeWorker extends EventTarget {
  state = 'activated'
  readonly told: object[] = []
  readonly #build: string
  readonly #answers: string[]

  constructor(build: string, ...answers: string[]) {
    super()
    this.#build = build
    this.#answers = answers
  }

  postMessage(question: object, [port]: MessagePort[]): void {
    this.told.push(question)
    port!.postMessage({ type: this.#answers.shift(), build: this.#build }, [])
    port!.close()
  }

  become(state: string): void {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}

/** A browser with a worker, or without; `next` is what an update brings, and what becomes of it. */
function browser({
  active,
  first,
  next,
  becomes = 'activated',
  newest = 'new',
}: {
  active?: FakeWorker
  first?: FakeWorker
  next?: FakeWorker
  becomes?: string
  newest?: string
}) {
  const log = { unregistered: 0 }
  const registration = {
    active: active ?? first ?? null,
    installing: null as FakeWorker | null,
    waiting: null,
    async update() {
      if (!next || this.installing) return
      this.installing = next
      next.state = 'installing'
      setTimeout(() => {
        if (becomes === 'activated') registration.active = next
        next.become(becomes)
      })
    },
    async unregister() {
      log.unregistered += 1
      return true
    },
  }
  const workers = {
    register: async () => registration,
    getRegistration: async () => (active ? registration : undefined),
    get ready() {
      return Promise.resolve(registration)
    },
  } as unknown as WorkerContainer
  const cache = editorCache({ workers, build: 'page', newest: async () => newest, reload: () => {} })
  const check = () =>
    new Promise<VersionReport['type'][]>((resolve) => {
      const reports: VersionReport['type'][] = []
      cache.check((report) => {
        reports.push(report.type)
        if (report.type !== 'INSTALLING' && report.type !== 'UPDATING') resolve(reports)
      })
    })
  return { cache, check, log }
}

it('WB1111: the first visit installs what keeps the editor', async () => {
  const first = new FakeWorker('page', 'CACHE_CREATED')
  expect(await browser({ first }).check()).toEqual(['INSTALLING', 'LATEST'])
  expect(first.told).toEqual([{ type: 'INIT', build: 'page' }])
})

it('WB1111: a newer worker is waited for, and says that the page is older', async () => {
  const next = new FakeWorker('new', 'UPDATED')
  expect(await browser({ active: new FakeWorker('page', 'LATEST'), next }).check()).toEqual(['UPDATING', 'UPDATED'])
  const same = new FakeWorker('page', 'LATEST')
  expect(await browser({ active: same, newest: 'page' }).check()).toEqual(['LATEST'])
  expect(await browser({ active: new FakeWorker('page', 'NOT_AVAILABLE') }).check()).toEqual(['LATEST'])
})

it('WB1111: a worker that is older than the server by now is replaced; one that can not be is an update that failed', async () => {
  const stays = new FakeWorker('page', 'EXPIRED', 'EXPIRED')
  expect(await browser({ active: stays }).check()).toEqual(['UPDATE_FAILED'])
  const next = new FakeWorker('new', 'UPDATED')
  const broken = { active: new FakeWorker('page'), next, becomes: 'redundant' }
  expect(await browser(broken).check()).toEqual(['UPDATING', 'UPDATE_FAILED'])
  // A page of the newest build has all it needs, kept or not.
  expect(await browser({ ...broken, newest: 'page' }).check()).toEqual(['UPDATING', 'LATEST'])
  const full = { active: new FakeWorker('page', 'UPDATE_FAILED') }
  expect(await browser({ ...full, newest: 'page' }).check()).toEqual(['LATEST'])
})

it('WB1111: without a worker the page asks the server itself', async () => {
  const check = (newest: string | undefined) =>
    new Promise((resolve) => {
      editorCache({ workers: null, build: 'page', newest: async () => newest }).check(resolve)
    })
  expect(await check('new')).toEqual({ type: 'UPDATED' })
  expect(await check('page')).toEqual({ type: 'LATEST' })
  expect(await check(undefined)).toEqual({ type: 'LATEST' })
})

it('WB1111: what is kept goes with its worker, or it is said that it did not', async () => {
  const { cache, log } = browser({ active: new FakeWorker('page', 'CLEAR_CACHE_ERROR', 'CLEAR_CACHE_SUCCESS') })
  await expect(cache.clear()).rejects.toThrow('The browser did not let go of it')
  expect(log.unregistered).toBe(0)
  await cache.clear()
  expect(log.unregistered).toBe(1)
})
