import { expect, it } from 'vitest'
import { KeptMetadata } from '../keptMetadata.ts'
import type { PackageIndexes } from './packageIndex.ts'
import { resolveTree } from './resolveTree.ts'

const dist = { tarball: 'http://registry.test/p/-/p.tgz' }
const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`p${number}`, value]))
const keptOf = (document: object, name = 'p') =>
  KeptMetadata.of({ name, ...document }, { name, etag: undefined, lastModified: undefined, base: 'http://mirror' })
/** As a server reads it that has just been started. */
const indexesOf = (document: object): PackageIndexes => ({
  get: async () => KeptMetadata.read((await keptOf(document)).file)!.index(),
})

it.each([
  ['too many versions', { versions: many(20_001, { dist }) }],
  ['too many tags', { 'dist-tags': many(10_001, '1.0.0'), versions: {} }],
])('PK944: metadata with %s is refused, which is said', async (said, document) => {
  await expect(indexesOf(document).get('p')).rejects.toMatchObject({
    code: 'TOO_LARGE',
    message: expect.stringContaining(said),
  })
})

it.each([
  ['more than a thousand packages', { dependencies: many(1_001, '*') }],
  ['a package in too many letters', { peerDependencies: { ['x'.repeat(215)]: '*' } }],
  ['a range without end', { dependencies: { a: '1 || '.repeat(200) } }],
  ['optional ones without end', { optionalDependencies: many(1_001, '*') }],
  ['an address without end', { dist: { tarball: `http://registry.test/${'x'.repeat(3_000)}` } }],
])('PK944: a version that names %s is refused when it is chosen, and no other is', async (_, facts) => {
  const indexes = indexesOf({ versions: { '1.0.0': { dist }, '2.0.0': { dist, ...facts } } })
  expect((await resolveTree({ p: '1' }, indexes)).get('p')).toMatchObject({ version: '1.0.0' })
  await expect(resolveTree({ p: '2' }, indexes)).rejects.toMatchObject({
    code: 'TOO_LARGE',
    message: expect.stringContaining('p@2.0.0'),
  })
})

it('PK957: a package that is called as what objects have anyway is a package as any other', async () => {
  const names = ['constructor', 'tostring', 'hasownproperty', 'valueOf', '__proto__']
  const dependencies = `{${names.map((name) => `"${name}":"*"`).join(',')}}`
  const p = JSON.parse(
    `{"versions":{"1.0.0":{"dist":${JSON.stringify(dist)},"dependencies":{},"peerDependencies":${dependencies}}}}`,
  ) as object
  const indexes: PackageIndexes = {
    get: async (name) => (await keptOf(name === 'p' ? p : { versions: { '1.0.0': { dist } } }, name)).index(),
  }
  const tree = await resolveTree({ p: '*' }, indexes)
  for (const name of ['constructor', 'tostring', 'hasownproperty', 'valueOf']) expect(tree.get(name)).toBeDefined()
  expect(({} as Record<string, unknown>)['*']).toBeUndefined()
  expect(Object.getPrototypeOf({})).toBe(Object.prototype)
})
