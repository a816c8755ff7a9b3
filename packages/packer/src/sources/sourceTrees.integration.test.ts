import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RegistryMirror } from '../registryMirror.ts'
import { SafeFetch } from '../safeFetch.ts'
import { startFakeRegistry } from '../testing/fakeRegistry.ts'
import { SourceTrees } from './sourceTrees.ts'

let folder: string
let registry: Awaited<ReturnType<typeof startFakeRegistry>>
let fetcher: SafeFetch

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'source-trees-'))
  registry = await startFakeRegistry([])
  fetcher = new SafeFetch({ trustedOrigins: [registry.origin] })
})
afterEach(async () => {
  await fetcher.close()
  await registry.close()
  await rm(folder, { recursive: true })
})

const newTrees = (now = () => 1_000_000) => {
  const options = { folder: join(folder, 'packages'), registry: registry.origin, publicBase: 'http://mirror/npm' }
  const mirror = new RegistryMirror({ ...options, fetch: fetcher, now })
  return new SourceTrees({ folder: join(folder, 'packs'), mirror, now, wait: async () => undefined })
}
async function read(trees: SourceTrees, id: string) {
  const content = gunzipSync((await trees.file(id))!).toString()
  return JSON.parse(content) as { texts: Record<string, string>; bytes: Record<string, string> }
}

describe('trees of sources', () => {
  beforeEach(async () => {
    await registry.publish({ name: 'shape', version: '1.0.0', files: { 'index.js': 'module.exports = 1' } })
    await registry.publish({ name: 'shape', version: '2.0.0', files: { 'index.js': 'module.exports = 2' } })
    await registry.publish({
      name: 'user',
      version: '1.0.0',
      manifest: { dependencies: { shape: '^1.0.0' }, scripts: { install: 'rm -rf /' } },
      files: { 'lib/a.js': 'a', 'lib/a.d.ts': 'x', 'lib/a.js.map': '{}', 'README.md': '#' },
    })
  })

  it('PK830: have the files of packages as they are, laid out as npm does, without what no program reads', async () => {
    const trees = newTrees()
    const { id, versions } = await trees.tree({ dependencies: { user: '1.0.0', shape: '2.0.0' } })
    const { texts } = await read(trees, id)
    expect(Object.keys(texts).toSorted()).toEqual([
      'shape/index.js',
      'shape/package.json',
      'user/lib/a.js',
      'user/node_modules/shape/index.js',
      'user/node_modules/shape/package.json',
      'user/package.json',
    ])
    expect(texts['user/node_modules/shape/index.js']).toBe('module.exports = 1')
    expect(versions).toEqual({ shape: '2.0.0', user: '1.0.0' })
  })

  it('PK831: say what there is no version of, and then make none', async () => {
    await expect(newTrees().tree({ dependencies: { user: '^9.0.0' } })).rejects.toThrow(
      "Can't find version that satisfies user@^9.0.0",
    )
  })

  it('PK832: stay the same for a day without the registry, and longer while it is away', async () => {
    let time = 1_000_000
    const first = await newTrees(() => time).tree({ dependencies: { user: '*' } })
    registry.requests.length = 0
    expect(await newTrees(() => time).tree({ dependencies: { user: '*' } })).toEqual(first)
    expect(registry.requests).toEqual([])
    registry.setAway(true)
    time += 48 * 60 * 60 * 1000
    expect(await newTrees(() => time).tree({ dependencies: { user: '*' } })).toEqual(first)
  })

  it('PK833: are handed out by hash, and nothing else is', async () => {
    const trees = newTrees()
    await trees.tree({ dependencies: { user: '*' } })
    for (const name of ['none', '../../keys', '0'.repeat(64)]) expect(await trees.file(name)).toBeUndefined()
  })
})
