import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { RegistryMirror } from '../registryMirror.ts'
import { SafeFetch } from '../safeFetch.ts'
import { startFakeRegistry } from '../testing/fakeRegistry.ts'
import { clearLeftOvers } from '../leftOvers.ts'
import { Packs } from './packs.ts'
import { PackStore } from './packStore.ts'

let folder: string
let time: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pack-store-'))
  time = 1_000_000_000
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const newStore = (mostBytes: number) => new PackStore({ folder, mostBytes, now: () => time })
async function write(path: string, bytes: number): Promise<string> {
  const whole = join(folder, path)
  await mkdir(dirname(whole), { recursive: true })
  await writeFile(whole, Buffer.alloc(bytes))
  return whole
}
/** Something of a hundred thousand bytes, made a minute later than what was made before. */
async function make(store: PackStore, name: string): Promise<string> {
  time += 60_000
  await write(`packs/aa/${name}/e0.js`, 100_000)
  const path = join(folder, 'packs', 'aa', name)
  await store.made(path, { bytes: 100_000, files: 1 })
  return path
}
const there = async () => (await readdir(join(folder, 'packs', 'aa'))).toSorted()

it('PK953: what was not used for longest goes first when there is no more room', async () => {
  const store = newStore(350_000)
  await make(store, 'first')
  await make(store, 'second')
  await make(store, 'third')
  time += 60_000
  await store.using(join(folder, 'packs', 'aa', 'first'), async () => undefined)
  await make(store, 'fourth')
  expect(await there()).toEqual(['first', 'fourth', 'third'])
  expect(await readdir(join(folder, 'trash'))).toEqual([])
})

it('PK953: what is read or written stays, and goes when that has ended', async () => {
  const store = newStore(250_000)
  const first = await make(store, 'first')
  let goOn = (): void => undefined
  const reading = store.using(first, async () => {
    await new Promise<void>((resolve) => (goOn = resolve))
    return readFile(join(first, 'e0.js'))
  })
  await make(store, 'second')
  await make(store, 'third')
  await make(store, 'fourth')
  expect(await there()).toEqual(['first', 'fourth'])
  goOn()
  expect(await reading).toHaveLength(100_000)
  await make(store, 'fifth')
  expect(await there()).toEqual(['fifth', 'fourth'])
})

it('PK953: a server that starts counts what is there by the times at which it was used', async () => {
  for (const [name, at] of [
    ['packs/aa/old/e0.js', 1_000],
    ['packs/aa/new/e0.js', 3_000],
    ['types/bb/cc.json.gz', 2_000],
    ['unpacked/dd/ee/index.js', 4_000],
    ['requests/ff.json', 5_000],
  ] as const) {
    const path = await write(name, 100_000)
    await utimes(path, at, at)
    await utimes(dirname(path), at, at)
  }
  await newStore(490_000).open()
  const left = ['packs/aa/old', 'packs/aa/new', 'types/bb/cc.json.gz', 'unpacked/dd/ee', 'requests/ff.json']
  expect(left.filter((path) => existsSync(join(folder, path)))).toEqual(left.slice(1))
})

it('PK953: when something was used is still known after a restart', async () => {
  const before = newStore(Infinity)
  for (const name of ['one', 'two', 'three']) {
    const path = await make(before, name)
    await utimes(path, time / 1000, time / 1000)
  }
  time += 24 * 60 * 60 * 1000
  await before.using(join(folder, 'packs', 'aa', 'one'), async () => undefined)
  await newStore(300_000).open()
  expect(await there()).toEqual(['one', 'three'])
})

it('PK953: a pack that had to go is made again, and its packages are unpacked again', async () => {
  const registry = await startFakeRegistry([])
  const fetcher = new SafeFetch({ trustedOrigins: [registry.origin] })
  await registry.publish({ name: 'a', version: '1.0.0', files: { 'index.js': 'exports.a = 1' } })
  await registry.publish({ name: 'b', version: '1.0.0', files: { 'index.js': 'exports.b = 1' } })
  const mirror = new RegistryMirror({
    folder: join(folder, 'packages'),
    registry: registry.origin,
    publicBase: 'http://mirror/npm',
    fetch: fetcher,
  })
  // There is room for what is in use, and for nothing else.
  const packs = new Packs({ folder, mirror, store: newStore(1), now: () => time })
  const wanted = (name: string) => ({ dependencies: { [name]: '*' }, specifiers: [name] })
  const first = await packs.pack(wanted('a'))
  await packs.pack(wanted('b'))
  expect(await packs.file(first.id, 'e0.js')).toBeUndefined()
  expect(await packs.pack(wanted('a'))).toEqual(first)
  await fetcher.close()
  await registry.close()
})

it('PK954: what a server that was killed has left half-made is cleared away, and nothing else', async () => {
  const half = 'x.json.01234567-89ab-4cde-8f01-23456789abcd'
  const left = [
    'packs/work/one/node_modules/a',
    'packs/trash/one/a',
    'packs/unpacked/incoming/one/a',
    `packs/requests/${half}`,
    `packs/types/aa/${half}`,
    'packages/archives/incoming/one',
    `packages/metadata/${half}`,
    'packages/private/salt/archives/incoming/one',
    `packages/private/salt/metadata/${half}`,
  ]
  const whole = [
    'packs/packs/aa/one/e0.js',
    'packs/requests/x.json',
    'packs/types/aa/x.json.gz',
    'packs/unpacked/aa/one/a',
    'packages/archives/sha512/aa/one',
    'packages/metadata/x.json',
    'packages/private/salt/archives/sha512/aa/one',
  ]
  for (const path of [...left, ...whole]) await write(path, 1)
  const options = { packs: join(folder, 'packs'), packages: join(folder, 'packages') }
  const remaining = () => [...left, ...whole].filter((path) => existsSync(join(folder, path)))
  // Begun since the start: somebody is working on it.
  await clearLeftOvers({ ...options, startedAt: 0 })
  expect(remaining()).toEqual([...left, ...whole])
  await clearLeftOvers({ ...options, startedAt: Date.now() + 60_000 })
  expect(remaining()).toEqual(whole)
})
