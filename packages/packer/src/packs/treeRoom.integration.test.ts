import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PackerError } from '../errors.ts'
import type { InstalledPackage } from '../resolve/resolveTree.ts'
import { archiveOf } from '../testing/fakeRegistry.ts'
import { layOut } from './layOut.ts'
import { PACKAGE_LIMITS, unpackArchive } from './unpackArchive.ts'
import { readArchive } from './readArchive.ts'
import { TreeRoom } from './treeRoom.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tree-room-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const lease = { hold: async () => undefined }
const treeOf = (count: number): ReadonlyMap<string, InstalledPackage> =>
  new Map(
    Array.from({ length: count }, (_, number) => {
      const name = `p${number}`
      return [name, { name, registryName: name, version: '1.0.0', file: `${name}.tgz`, children: new Map() }]
    }),
  )

it.each([
  ['bytes', { bytes: 95, files: 1000 }, 'too much together'],
  ['files', { bytes: 1000, files: 9 }, 'too many files together'],
])('PK948: packages that are small each are refused when they have too many %s together', async (_, most, said) => {
  const asked: string[] = []
  const folderOf = async ({ registryName }: { registryName: string }) => {
    asked.push(registryName)
    return { path: folder, bytes: 10, files: 1 }
  }
  const laid = (count: number) =>
    layOut(treeOf(count), join(folder, `of${count}`), { folderOf }, lease, new TreeRoom(most))
  await laid(9)
  asked.length = 0
  await expect(laid(200)).rejects.toMatchObject({ code: 'TOO_LARGE', message: expect.stringContaining(said) })
  // The others are not even fetched.
  expect(asked.length).toBeLessThan(30)
})

it('PK948: archives that are read one after the other share what there is for all', async () => {
  const archive = await archiveOf([{ name: 'package/a', content: Buffer.alloc(600) }])
  const room = new TreeRoom({ bytes: 1000, files: 100 })
  const read = () =>
    readArchive(
      Readable.from([archive]),
      { ...PACKAGE_LIMITS },
      async ({ content }) => {
        for await (const part of content) void part
      },
      { room },
    )
  await read()
  await expect(read()).rejects.toMatchObject({ code: 'TOO_LARGE' })
})

it('PK949: nothing is laid out any more when a package has failed', async () => {
  const target = join(folder, 'work')
  let goOn = (): void => undefined
  const later = new Promise<void>((resolve) => (goOn = resolve))
  const folderOf = async ({ registryName }: { registryName: string }) => {
    if (registryName === 'p3') throw new PackerError('INTEGRITY')
    await later
    return { path: folder, bytes: 1, files: 1 }
  }
  let isTold = false
  const laid = layOut(treeOf(50), target, { folderOf }, lease).finally(() => (isTold = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(isTold).toBe(false)
  goOn()
  await expect(laid).rejects.toMatchObject({ code: 'INTEGRITY' })
  const stands = existsSync(join(target, 'node_modules')) ? await readdir(join(target, 'node_modules')) : []
  expect(stands.toSorted()).toEqual(['p0', 'p1', 'p2', 'p4', 'p5', 'p6', 'p7'])
  await rm(target, { recursive: true })
})

it('PK55: small files that are written at once are as they were', async () => {
  const contents = Array.from({ length: 50 }, (_, number) => Buffer.alloc(number * 2_000, number))
  const archive = await archiveOf(
    contents.map((content, number) => ({ name: `package/d${number % 3}/${number}`, content })),
  )
  const unpacked = await unpackArchive(Readable.from([archive]), folder)
  expect(unpacked).toEqual({ bytes: contents.reduce((sum, { length }) => sum + length, 0), files: 53 })
  for (const [number, content] of contents.entries())
    expect((await readFile(join(folder, `d${number % 3}`, String(number)))).equals(content)).toBe(true)
})
