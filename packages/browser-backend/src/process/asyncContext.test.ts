import { createContext, runInContext } from 'node:vm'
import { expect, it } from 'vitest'
import { followPromises } from './asyncContext.ts'
import { Handles } from './handles.ts'
import { AsyncLocalStorage, AsyncResource } from './modules/asyncHooks.ts'
import { Timers } from './timers.ts'

// A realm of its own: the promises of the tests themselves stay as they are.
const realm = createContext({ queueMicrotask: globalThis.queueMicrotask })
followPromises(runInContext('globalThis', realm))

const timers = new Timers(new Handles(globalThis.queueMicrotask))
const { setTimeout, setImmediate } = timers
/** Runs a program of that realm, which ends with a promise. */
function run(program: string): Promise<unknown> {
  const storages = { storage: new AsyncLocalStorage(), other: new AsyncLocalStorage() }
  Object.assign(realm, { ...storages, AsyncLocalStorage, AsyncResource })
  return new Promise((resolve, reject) => {
    Object.assign(realm, { setTimeout, setImmediate, resolve, reject })
    runInContext(`Promise.resolve((async () => { ${program} })()).then(resolve, reject)`, realm)
  })
}

const kept: Readonly<Record<string, string>> = {
  'a timer': 'await new Promise((done) => setTimeout(() => { seen.push(storage.getStore()); done() }, 1))',
  'an immediate': 'await new Promise((done) => setImmediate(() => { seen.push(storage.getStore()); done() }))',
  'a microtask': 'await new Promise((done) => queueMicrotask(() => { seen.push(storage.getStore()); done() }))',
  'a handler': 'await Promise.resolve().then(() => seen.push(storage.getStore()))',
  'catch and finally':
    'await Promise.reject(new Error()).catch(() => seen.push(storage.getStore())).finally(() => seen.push(storage.getStore()))',
  await:
    'await Promise.resolve(); seen.push(storage.getStore()); await (async () => 1)(); seen.push(storage.getStore())',
  'a promise that somebody else ends': 'await new Promise((done) => outside.push(done)); seen.push(storage.getStore())',
  'an await that fails': 'try { await Promise.reject(new Error()) } catch { seen.push(storage.getStore()) }',
  'works at the same time':
    'await Promise.all([1, 2].map(async () => { await Promise.resolve(); seen.push(storage.getStore()); await Promise.resolve() }))',
  'an async iterator':
    'async function* all() { yield 1; await Promise.resolve(); yield 2 } for await (const one of all()) seen.push(storage.getStore())',
  'an async function that returns a promise':
    'await (async () => new Promise((done) => setTimeout(done, 1)))(); seen.push(storage.getStore())',
}

it.each(Object.entries(kept))('BB1037: a storage has its value behind %s', async (_name, work) => {
  const seen = await run(`
    const seen = []
    const outside = []
    const ending = (async () => { while (outside.length === 0) await Promise.resolve(); outside[0]() })
    const working = storage.run('kept', async () => { ${work} })
    if (${work.includes('outside')}) await ending()
    await working
    seen.push(storage.getStore())
    return seen.join()
  `)
  expect(seen).toMatch(/^kept(?:,kept)*,$/)
})

it('BB1037: works that take turns keep apart what is theirs', async () => {
  const seen = await run(`
    const seen = []
    const work = async (name) => {
      for (let turn = 0; turn < 4; turn++) {
        await (turn % 2 ? Promise.resolve() : new Promise((done) => setTimeout(done, 1)))
        if (storage.getStore() !== name || other.getStore() !== undefined) seen.push([name, storage.getStore()])
        await Promise.all([Promise.resolve(), null]).then(() => storage.getStore() === name || seen.push(name))
      }
    }
    await Promise.all(['a', 'b', 'c'].map((name) => storage.run(name, work, name)))
    return seen
  `)
  expect(seen).toEqual([])
})

it('BB1037: what a work enters is gone behind it, and what the program enters stays', async () => {
  const seen = await run(`
    const entering = storage.run('outer', async () => { await Promise.resolve(); storage.enterWith('inner'); await Promise.resolve(); return storage.getStore() })
    const inside = await entering
    const behind = storage.getStore()
    const left = await storage.run('x', () => storage.exit(async () => { await Promise.resolve(); return storage.getStore() }))
    const bound = storage.run('bound', () => AsyncResource.bind(() => storage.getStore()))
    const snapshot = storage.run('taken', () => AsyncLocalStorage.snapshot())
    return [inside, behind, left, bound(), snapshot(() => storage.getStore())]
  `)
  expect([...(seen as unknown[])]).toEqual(['inner', undefined, undefined, 'bound', 'taken'])
})

it('BB1037: promises that are followed are what they were', async () => {
  const seen = await run(`
    class Own extends Promise {}
    const own = Own.resolve(1).then((value) => value + 1)
    const plain = (async () => 1)()
    return [
      own instanceof Own, await own, plain instanceof Promise, plain.constructor === Promise, Promise.resolve(plain) === plain,
      plain.then() instanceof Promise, Promise.name, await Promise.any([Promise.reject(1), plain]),
      await { then: (done) => done('thenable') }, (await Promise.allSettled([plain, Promise.reject(2)])).map(({ status }) => status).join(),
    ]
  `)
  expect([...(seen as unknown[])]).toEqual([
    true,
    2,
    true,
    true,
    true,
    true,
    'Promise',
    1,
    'thenable',
    'fulfilled,rejected',
  ])
})

it('BB1037: behind an await of what is no promise nothing is there, and nothing of others', async () => {
  const seen = await run(`
    const seen = []
    await Promise.all(['a', 'b'].map((name) => storage.run(name, async () => { await 1; seen.push(storage.getStore()) })))
    return seen
  `)
  expect([...(seen as unknown[])]).toEqual([undefined, undefined])
})
