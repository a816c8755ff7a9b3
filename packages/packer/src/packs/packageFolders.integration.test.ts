import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { archiveOf } from '../testing/fakeRegistry.ts'
import { PackageFolders } from './packageFolders.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folders-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const one = { registryName: 'one', file: 'one-1.0.0.tgz' }
/** Package folders whose registry has one package, and hands it out as `stream` says. */
const foldersOf = (stream: () => Readable) =>
  new PackageFolders(folder, { tarball: async () => ({ size: 1, etag: '"of-one"', stream }) }, async () => undefined)
const hash = createHash('sha256').update('"of-one"').digest('hex')
const named = join(hash.slice(0, 2), hash.slice(2))
const inFolder = async () => (await readdir(folder, { recursive: true })).toSorted()

it('PK58: a package that breaks off leaves nothing behind', async () => {
  const whole = await archiveOf([
    { name: 'package/first', content: 'first' },
    { name: 'package/second', content: 'second'.repeat(10_000) },
  ])
  const broken = foldersOf(() => Readable.from([whole.subarray(0, whole.length - 40)]))
  await expect(broken.folderOf(one)).rejects.toMatchObject({ code: 'UNSAFE_ARCHIVE' })
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
  const left = foldersOf(() => never).folderOf(one)
  while ((await inFolder()).length < 2) await new Promise((resolve) => setImmediate(resolve))
  expect(await inFolder()).not.toContain(named)
  const found = await foldersOf(() => Readable.from([whole])).folderOf(one)
  expect(found).toBe(join(folder, named))
  expect(await readFile(join(found, 'second'), 'utf8')).toBe('second')
  never.destroy(new Error('the end of the test'))
  await expect(left).resolves.toBe(found)
})
