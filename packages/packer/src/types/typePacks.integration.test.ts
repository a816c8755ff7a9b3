import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RegistryMirror } from '../registryMirror.ts'
import { SafeFetch } from '../safeFetch.ts'
import { startFakeRegistry } from '../testing/fakeRegistry.ts'
import { TypePacks } from './typePacks.ts'

let folder: string
let registry: Awaited<ReturnType<typeof startFakeRegistry>>
let fetcher: SafeFetch
let time: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'type-packs-'))
  time = 1_000_000
  registry = await startFakeRegistry([])
  fetcher = new SafeFetch({ trustedOrigins: [registry.origin] })
})
afterEach(async () => {
  await fetcher.close()
  await registry.close()
  await rm(folder, { recursive: true })
})

const newPacks = () => {
  const options = { folder: join(folder, 'packages'), registry: registry.origin, publicBase: 'http://mirror/npm' }
  const mirror = new RegistryMirror({ ...options, fetch: fetcher, now: () => time })
  return new TypePacks({ folder: join(folder, 'packs'), mirror, now: () => time, wait: async () => undefined })
}
async function filesOf(packs: TypePacks, dependencies: Record<string, string>): Promise<Record<string, string>> {
  const { id } = await packs.pack({ dependencies })
  const content = await packs.file(id)
  return (JSON.parse(gunzipSync(content!).toString()) as { files: Record<string, string> }).files
}

describe('packs of types', () => {
  it('PK700: have the declarations of dependencies, what leads to them, and no code', async () => {
    await registry.publish({
      name: 'typed',
      version: '1.0.0',
      manifest: { types: 'index.d.ts', scripts: { install: 'rm -rf /' } },
      files: { 'index.d.ts': 'export const a: 1', 'deep/b.d.mts': 'export {}', 'index.js': 'secret()' },
    })
    const files = await filesOf(newPacks(), { typed: '^1.0.0' })
    expect(Object.keys(files).toSorted()).toEqual(['typed/deep/b.d.mts', 'typed/index.d.ts', 'typed/package.json'])
    expect(JSON.parse(files['typed/package.json']!)).toEqual({ name: 'typed', version: '1.0.0', types: 'index.d.ts' })
  })

  it('PK701: follow what declarations name, each in the version that its package wants, and nothing else', async () => {
    await registry.publish({ name: 'shape', version: '1.0.0', files: { 'index.d.ts': 'export type Shape = 1' } })
    await registry.publish({ name: 'shape', version: '2.0.0', files: { 'index.d.ts': 'export type Shape = 2' } })
    await registry.publish({ name: '@types/estree', version: '1.0.0', files: { 'index.d.ts': 'export type Node = 1' } })
    await registry.publish({
      name: 'user',
      version: '1.0.0',
      manifest: { dependencies: { shape: '^1.0.0', machine: '*', '@types/estree': '*' } },
      files: {
        'index.d.ts': `/// <reference types="estree" />\nimport type { Shape } from 'shape/deep'\nexport const s: Shape`,
      },
    })
    const files = await filesOf(newPacks(), { user: '1.0.0', shape: '2.0.0' })
    expect([
      files['shape/index.d.ts'],
      files['user/node_modules/shape/index.d.ts'],
      files['@types/estree/index.d.ts'],
    ]).toEqual(['export type Shape = 2', 'export type Shape = 1', 'export type Node = 1'])
    expect(registry.requests.filter((path) => path.includes('machine'))).toEqual([])
  })

  it('PK702: take the declarations of a package without any from the package of types for its major version', async () => {
    await registry.publish({ name: '@scope/plain', version: '2.3.0', files: { 'index.js': '' } })
    for (const version of ['1.9.0', '2.0.1', '3.0.0'])
      await registry.publish({
        name: '@types/scope__plain',
        version,
        files: { 'index.d.ts': `export const of: '${version}'` },
      })
    await registry.publish({ name: 'untyped', version: '1.0.0', files: { 'index.js': '' } })
    const files = await filesOf(newPacks(), { '@scope/plain': '^2', untyped: '*' })
    expect(files['@types/scope__plain/index.d.ts']).toBe("export const of: '2.0.1'")
    expect(Object.keys(files)).toContain('untyped/package.json')
  })

  it('PK703: come without a dependency that there is no version of, and say which', async () => {
    await registry.publish({ name: 'typed', version: '1.0.0', files: { 'index.d.ts': '' } })
    const packs = newPacks()
    const made = await packs.pack({
      dependencies: { typed: '*', none: '*', here: 'file:../here', '../up': '1', typescript: '5' },
    })
    expect(Object.keys(made.missing).toSorted()).toEqual(['../up', 'here', 'none'])
    expect(await packs.file(made.id)).toBeDefined()
  })

  it('PK704: are kept, and made again from a newer version after a day', async () => {
    await registry.publish({ name: 'typed', version: '1.0.0', files: { 'index.d.ts': 'one' } })
    const before = await filesOf(newPacks(), { typed: '*' })
    await registry.publish({ name: 'typed', version: '1.1.0', files: { 'index.d.ts': 'two' } })
    const asked = registry.requests.length
    expect(await filesOf(newPacks(), { typed: '*' })).toEqual(before)
    expect(registry.requests.length).toBe(asked)
    time += 25 * 60 * 60 * 1000
    registry.setAway(true)
    expect(await filesOf(newPacks(), { typed: '*' })).toEqual(before)
    registry.setAway(false)
    time += 25 * 60 * 60 * 1000
    expect((await filesOf(newPacks(), { typed: '*' }))['typed/index.d.ts']).toBe('two')
  })

  it('PK705: are handed out by their hash alone', async () => {
    const packs = newPacks()
    for (const id of ['', '../../keys', 'a'.repeat(64), `${'a'.repeat(62)}/.`])
      expect(await packs.file(id)).toBeUndefined()
  })
})
