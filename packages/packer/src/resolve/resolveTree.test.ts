import { expect, it } from 'vitest'
import { resolveTree } from './resolveTree.ts'
import { indexOf } from './packageIndex.ts'
import type { PackageIndexes } from './packageIndex.ts'

const named = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`p${number}`, '1.0.0']))
const indexNaming = (dependencies: Record<string, string>) =>
  indexOf({ latest: '1.0.0' }, new Map([['1.0.0', { dependencies, peers: {}, file: 'p-1.0.0.tgz' }]]))

/** A registry whose package `bomb` depends on many others, and what it was asked. */
function registry(count: number) {
  const asked: string[] = []
  let atOnce = 0
  let most = 0
  const indexes: PackageIndexes = {
    async get(name) {
      asked.push(name)
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
      return indexNaming(name === 'bomb' ? named(count) : {})
    },
  }
  return { indexes, asked, most: () => most }
}

it('PK940: a package that names more than there may be is refused before any of them is asked for', async () => {
  const { indexes, asked } = registry(100_000)
  await expect(resolveTree({ bomb: '1.0.0' }, indexes)).rejects.toMatchObject({ code: 'TOO_LARGE' })
  expect(new Set(asked)).toEqual(new Set(['bomb']))
})

it('PK940: the packages of one layer are asked for side by side, 32 at the most', async () => {
  const { indexes, most } = registry(200)
  expect((await resolveTree({ bomb: '1.0.0' }, indexes)).size).toBe(201)
  expect(most()).toBe(32)
})

const versionsOf = (versions: Record<string, Record<string, string>>) =>
  indexOf(
    {},
    new Map(
      Object.entries(versions).map(([version, dependencies]) => [version, { dependencies, peers: {}, file: version }]),
    ),
  )

it('PK942: what many packages name again and again is counted each time', async () => {
  const all = named(200)
  const indexes: PackageIndexes = { get: async () => indexNaming(all) }
  await expect(resolveTree(all, indexes)).rejects.toThrow('more than 30000 dependencies')
})

it('PK942: ranges that nothing is in end the search when they have taken too much', async () => {
  const many = versionsOf(Object.fromEntries(Array.from({ length: 20_000 }, (_, patch) => [`1.0.${patch}`, {}])))
  const chosen = versionsOf({ '1.0.0': {} })
  const asking = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`p${number}`, '1.0.0']))
  const indexes: PackageIndexes = {
    // Each asks for another range that only the oldest version is in.
    get: async (name) =>
      name === 'many'
        ? many
        : versionsOf({ '1.0.0': { many: `${'9.9.9 || '.repeat(50)}<1.0.1 || ${name.slice(1)}.9.9` } }),
  }
  await expect(resolveTree({ many: '1.0.5', ...asking }, indexes)).rejects.toThrow('more than 5000000 comparisons')
  expect((await resolveTree({ many: '1.0.0' }, { get: async () => chosen })).size).toBe(1)
})

it('PK942: packages inside of packages end where a path does', async () => {
  const chain = versionsOf(
    Object.fromEntries(Array.from({ length: 500 }, (_, major) => [`${major}.0.0`, { a: `${major + 1}.0.0` }])),
  )
  await expect(resolveTree({ a: '0.0.0' }, { get: async () => chain })).rejects.toThrow('too deep inside of packages')
})

it('PK942: others have their turn while versions are chosen from what is known already', async () => {
  const all = named(500)
  let turns = 0
  let isDone = false
  const others = () => {
    turns += 1
    if (!isDone) setImmediate(others)
  }
  const indexes: PackageIndexes = { get: async () => indexNaming({ p1: '*', p2: '*', p3: '*' }) }
  const made = resolveTree(all, indexes).finally(() => (isDone = true))
  setImmediate(others)
  expect((await made).size).toBe(500)
  expect(turns).toBeGreaterThan(10)
})
