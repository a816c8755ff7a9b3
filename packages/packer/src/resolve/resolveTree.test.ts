import { expect, it } from 'vitest'
import { resolveTree } from './resolveTree.ts'
import type { PackageIndex, PackageIndexes } from './packageIndex.ts'

const named = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`p${number}`, '1.0.0']))
const indexOf = (dependencies: Record<string, string>): PackageIndex => ({
  tags: { latest: '1.0.0' },
  versions: new Map([['1.0.0', { dependencies, peers: {}, file: 'p-1.0.0.tgz' }]]),
})

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
      return indexOf(name === 'bomb' ? named(count) : {})
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
