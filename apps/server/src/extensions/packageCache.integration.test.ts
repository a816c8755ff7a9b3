import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { vsixOf } from '../testing/extensionRegistry.ts'
import type { ExtensionName } from './extensionName.ts'
import { PackageCache } from './packageCache.ts'

const folder = mkdtempSync(join(tmpdir(), 'boxyard-extensions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const named = (name: string): ExtensionName => ({ publisher: 'acme', name, version: '1.0.0' })

it('AP874: what was not used for longest goes when there are too many bytes, and is fetched again', async () => {
  const fetched: string[] = []
  const size = (await vsixOf({ ...named('a'), manifest: {} })).length
  const cache = new PackageCache(
    folder,
    async (extension) => {
      fetched.push(extension.name)
      return [await vsixOf({ ...extension, manifest: {} })] as unknown as AsyncIterable<Uint8Array>
    },
    size * 2,
  )
  const use = async (name: string) => {
    const archive = await cache.open(named(name))
    archive.close()
    return archive.manifest.name
  }
  await use('a')
  await use('b')
  // The clock of the file system tells them apart by this.
  await use('A')
  expect(await use('c')).toBe('c')
  expect([await cache.has(named('a')), await cache.has(named('b'))]).toEqual([true, false])
  expect(readdirSync(folder)).toHaveLength(2)
  await use('b')
  expect(fetched).toEqual(['a', 'b', 'c', 'b'])
})
