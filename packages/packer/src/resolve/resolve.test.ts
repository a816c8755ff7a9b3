import { describe, expect, it } from 'vitest'
import { indexOf } from './packageIndex.ts'
import type { PackageIndex } from './packageIndex.ts'
import { pickVersion } from './pickVersion.ts'
import { resolveTree } from './resolveTree.ts'
import type { InstalledPackage } from './resolveTree.ts'

type Made = Record<string, { dependencies?: Record<string, string>; peers?: Record<string, string> }>

const index = (versions: Made, tags: Record<string, string> = {}): PackageIndex =>
  indexOf(
    tags,
    new Map(
      Object.entries(versions).map(([version, { dependencies = {}, peers = {} }]) => [
        version,
        { dependencies, peers, file: version },
      ]),
    ),
  )
const registry = (packages: Record<string, Made>) => ({
  get: async (name: string) => {
    const found = packages[name]
    if (!found) throw new Error(`${name} is not there`)
    return index(found)
  },
})
const layout = (tree: ReadonlyMap<string, InstalledPackage>, prefix = ''): string[] =>
  [...tree.values()].flatMap(({ name, version, children }) => [
    `${prefix}${name}@${version}`,
    ...layout(children, `${prefix}${name}/`),
  ])

describe('the version that a range means', () => {
  const some = index(
    { '1.0.0': {}, '1.2.0': {}, '2.0.0-beta.1': {}, '1.1.0': {} },
    { next: '2.0.0-beta.1', latest: '1.1.0' },
  )

  it.each([
    ['1.1.0', '1.1.0'],
    ['v1.1.0', '1.1.0'],
    ['next', '2.0.0-beta.1'],
    ['^1.0.0', '1.2.0'],
    ['', '1.2.0'],
    ['*', '1.2.0'],
  ])('PK30: %j is %s: the exact version, else the tag, else the newest in the range', (range, version) => {
    expect(pickVersion('p', range, some)).toBe(version)
  })

  it('PK30: says what is not there', () => {
    expect(() => pickVersion('p', '^3.0.0', some)).toThrow("Can't find version that satisfies p@^3.0.0")
    expect(() => pickVersion('p', 'nonsense', some)).toThrow("Can't find version that satisfies p@nonsense")
    expect(() => pickVersion('p', '9.9.9', some)).toThrow("Version '9.9.9' is not available on the registry for 'p'")
  })
})

describe('a range that is made to hold up who reads it', () => {
  const versions = index(Object.fromEntries(Array.from({ length: 300 }, (_, patch) => [`1.0.${patch}-a.b.c`, {}])))

  it.each([
    ['spaces', `${' '.repeat(500)}x`],
    ['spaces in the middle', `1${' '.repeat(500)}.`],
    ['digits', `^${'1'.repeat(500)}`],
    ['parts of a prerelease', `1.0.0-${'a.'.repeat(250)}!`],
    ['hyphens', `1.0.0${'-'.repeat(500)}!`],
    ['a range of spaces', `1.0.0 ${' '.repeat(240)}- ${' '.repeat(240)}!`],
    ['alternatives', '||'.repeat(250) + '!'],
    ['signs', `${'<>=~^'.repeat(100)}1`],
  ])('PK942: with %s is done with soon', (_, range) => {
    expect(() => pickVersion('p', range, versions)).toThrow(/^(?:Can't find version|Version ')/)
  })
})

describe('a range that many packages ask for', () => {
  it('PK945: is looked for once, from the newest version on', () => {
    const many = index(Object.fromEntries(Array.from({ length: 500 }, (_, patch) => [`1.0.${patch}`, {}])))
    let comparisons = 0
    const pick = (range: string, of = many) => pickVersion('p', range, of, (made) => (comparisons += made))
    expect(pick('1.x')).toBe('1.0.499')
    // Two sides of one range: at least, and less than.
    expect(comparisons).toBe(2)
    expect(pick('1.x')).toBe('1.0.499')
    expect(comparisons).toBe(2)
    for (let again = 0; again < 2; again += 1) expect(() => pick('^2.0.0')).toThrow("Can't find version")
    expect(comparisons).toBe(1002)
    // Another answer of the registry is another index.
    expect(pick('1.x', index({ '1.0.0': {}, '1.7.0': {}, none: {} }))).toBe('1.7.0')
  })

  it('PK945: means the same as for npm where there are prereleases and builds', () => {
    const some = index({ '1.0.0-rc.1': {}, '1.0.0': {}, '2.0.0-beta.2': {}, '2.0.0-beta.10': {}, '1.1.0+b': {} })
    expect(['*', '^2.0.0-beta.1', '^1.0.0-rc.0', '<1.0.0-z'].map((range) => pickVersion('p', range, some))).toEqual([
      '1.1.0+b',
      '2.0.0-beta.10',
      '1.1.0+b',
      '1.0.0-rc.1',
    ])
  })
})

describe('the layout', () => {
  it('PK31: puts everything as far up as it fits, and another version inside the package that needs it', async () => {
    const tree = await resolveTree(
      { a: '1.0.0', b: '1.0.0' },
      registry({
        a: { '1.0.0': { dependencies: { c: '^1.0.0' } } },
        b: { '1.0.0': { dependencies: { c: '^2.0.0', d: '*' } } },
        c: { '1.5.0': {}, '2.5.0': {} },
        d: { '1.0.0': { dependencies: { c: '^2.0.0' } } },
      }),
    )
    expect(layout(tree).toSorted()).toEqual(
      ['a@1.0.0', 'b@1.0.0', 'b/c@2.5.0', 'c@1.5.0', 'd@1.0.0', 'd/c@2.5.0'].toSorted(),
    )
  })

  it('PK32: a peer stands beside the package that asks for it, once, in the version that the project has', async () => {
    const packages = registry({
      react: { '18.0.0': {}, '19.0.0': {} },
      lib: { '1.0.0': { peers: { react: '^18.0.0' } } },
    })
    expect(layout(await resolveTree({ lib: '*', react: '19.0.0' }, packages))).toEqual(['lib@1.0.0', 'react@19.0.0'])
    expect(layout(await resolveTree({ lib: '*' }, packages))).toEqual(['lib@1.0.0', 'react@18.0.0'])
  })

  it('PK33: follows aliases, and circles end', async () => {
    const packages = registry({
      real: { '2.0.0': { dependencies: { other: '*' } } },
      other: { '1.0.0': { dependencies: { real: '*' } } },
    })
    const tree = await resolveTree({ nick: 'npm:real@^2.0.0' }, packages)
    expect(tree.get('nick')).toMatchObject({ registryName: 'real', version: '2.0.0' })
    expect(layout(tree)).toEqual(['nick@2.0.0', 'other@1.0.0', 'real@2.0.0'])
  })

  it.each(['npm:../../etc@1', 'npm:a/b/c@1'])('PK34: refuses the name in %j', async (range) => {
    await expect(resolveTree({ x: range }, registry({}))).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })
})
