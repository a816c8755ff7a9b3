import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { archiveOf } from '../testing/fakeRegistry.ts'
import { PackerError } from '../errors.ts'
import { PackageFolders, placeOf } from './packageFolders.ts'
import { PackStore } from './packStore.ts'

let folder: string
let store: PackStore

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folders-'))
  store = new PackStore({ folder, mostBytes: Infinity })
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const one = { registryName: 'one', file: 'one-1.0.0.tgz' }
/** Package folders whose registry has one package, and hands it out as `stream` says. */
const foldersOf = (stream: () => Readable) =>
  new PackageFolders({
    store,
    folder,
    mirror: { tarball: async () => ({ size: 1, etag: '"of-one"', stream }) },
    wait: async () => undefined,
  })
const named = placeOf('"of-one"')
const inFolder = async () => (await readdir(folder, { recursive: true })).toSorted()

it('PK58: a package that breaks off leaves nothing behind', async () => {
  const whole = await archiveOf([
    { name: 'package/first', content: 'first' },
    { name: 'package/second', content: 'second'.repeat(10_000) },
  ])
  const broken = foldersOf(() => Readable.from([whole.subarray(0, whole.length - 40)]))
  await expect(broken.folderOf(one, store.lease())).rejects.toMatchObject({ code: 'UNSAFE_ARCHIVE' })
  expect(await inFolder()).toEqual(['incoming'])
})

it('PK58: what a server that ended left half done is not taken for the package', async () => {
  const whole = await archiveOf([
    { name: 'package/first', content: 'first' },
    { name: 'package/second', content: 'second' },
  ])
  const never = new Readable({ read: () => undefined })
  never.push((await archiveOf([{ name: 'package/first', content: 'first' }])).subarray(0, 60))
  // It never comes to an end, as for a server that is killed meanwhile.
  const left = foldersOf(() => never).folderOf(one, store.lease())
  while ((await inFolder()).length < 2) await new Promise((resolve) => setImmediate(resolve))
  expect(await inFolder()).not.toContain(named)
  const found = await foldersOf(() => Readable.from([whole])).folderOf(one, store.lease())
  expect(found).toMatchObject({ path: join(folder, named), files: 2 })
  expect(await readFile(join(found.path, 'second'), 'utf8')).toBe('second')
  never.destroy(new Error('the end of the test'))
  await expect(left).resolves.toEqual(found)
})

it('PK54: an archive is asked for six times, three seconds apart, and what is refused is not', async () => {
  const waits: number[] = []
  let answers: (PackerError | Buffer)[] = []
  const folders = new PackageFolders({
    store,
    folder,
    mirror: {
      async tarball() {
        const next = answers.shift() ?? new PackerError('UPSTREAM')
        if (next instanceof PackerError) throw next
        return { size: 1, etag: '"of-one"', stream: () => Readable.from([next]) }
      },
    },
    wait: async (milliseconds) => void waits.push(milliseconds),
  })
  await expect(folders.folderOf(one, store.lease())).rejects.toMatchObject({ code: 'UPSTREAM' })
  expect(waits).toEqual([3000, 3000, 3000, 3000, 3000])
  answers = [new PackerError('NOT_FOUND')]
  await expect(folders.folderOf(one, store.lease())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(waits).toHaveLength(5)
  const away = Array.from({ length: 5 }, () => new PackerError('UPSTREAM'))
  answers = [...away, await archiveOf([{ name: 'package/first', content: 'first' }])]
  expect(await folders.folderOf(one, store.lease())).toMatchObject({ bytes: 5, files: 1 })
})

it('PK952: what no bundler reads of a package is not unpacked', async () => {
  const names = ['index.js', 'index.d.ts', 'deep/a.d.mts', 'index.js.map', 'README.md', 'data.json']
  const whole = await archiveOf(names.map((name) => ({ name: `package/${name}`, content: name })))
  const { path } = await foldersOf(() => Readable.from([whole])).folderOf(one, store.lease())
  expect((await readdir(path)).toSorted()).toEqual(['data.json', 'index.js'])
})
