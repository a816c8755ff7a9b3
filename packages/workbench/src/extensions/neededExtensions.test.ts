import { expect, it } from 'vitest'
import { neededExtensions, needsOf, type Needs } from './neededExtensions.ts'

interface Known extends Partial<Needs> {
  id: string
}
const needs = (one: Partial<Needs>): Needs => ({ dependencies: [], pack: [], ...one })

function registry(known: Known[], installed: string[] = []) {
  const asked: string[][] = []
  const source = {
    installed,
    find: async (ids: readonly string[]) => {
      asked.push([...ids])
      return known.filter(({ id }) => ids.some((one) => one.toLowerCase() === id))
    },
    describe: (one: Known) => ({ id: one.id, ...needs(one) }),
  }
  const of = async (first: Partial<Needs>) => {
    const { found, missing } = await neededExtensions('acme.first', needs(first), source)
    return { found: found.map(({ id }) => id), missing }
  }
  return { asked, of }
}

it('WB980: what is depended on comes first, each once, and what is there or needs its way back is not asked for', async () => {
  const { asked, of } = registry(
    [
      { id: 'acme.base', dependencies: ['acme.deep', 'acme.first'] },
      { id: 'acme.deep', dependencies: ['acme.base'] },
      { id: 'acme.extra', pack: ['acme.deep', 'acme.there'] },
    ],
    ['Acme.There'],
  )
  expect(await of({ dependencies: ['Acme.Base'], pack: ['acme.extra', 'acme.there'] })).toEqual({
    found: ['acme.deep', 'acme.base', 'acme.extra'],
    missing: [],
  })
  expect(asked).toEqual([['Acme.Base', 'acme.extra'], ['acme.deep']])
  expect(await registry([]).of({})).toEqual({ found: [], missing: [] })
})

it('WB980: without what it depends on nothing is installed, and the error names it', async () => {
  const { of } = registry([{ id: 'acme.base', dependencies: ['acme.gone'] }])
  await expect(of({ dependencies: ['acme.lost', 'acme.base'] })).rejects.toThrow(
    'It depends on acme.lost and acme.gone, which the extension registry does not have for this editor. Install that first, from a file.',
  )
})

it('WB980: what is missing of a pack is named, and the rest is had', async () => {
  const { of } = registry([
    { id: 'acme.one' },
    { id: 'acme.halting', dependencies: ['acme.gone'], pack: ['acme.never'] },
    { id: 'acme.never' },
  ])
  expect(await of({ pack: ['acme.one', 'acme.lost', 'acme.halting'] })).toEqual({
    found: ['acme.one'],
    missing: ['acme.lost', 'acme.halting'],
  })
})

it('WB980: of two that are found together, the one that the other depends on comes first', async () => {
  const { of } = registry([{ id: 'acme.upper', dependencies: ['acme.lower'] }, { id: 'acme.lower' }])
  expect((await of({ dependencies: ['acme.upper', 'acme.lower'] })).found).toEqual(['acme.lower', 'acme.upper'])
})

it('WB980: a manifest that says it wrongly needs nothing', () => {
  expect(needsOf({ extensionDependencies: ['acme.base'], extensionPack: ['acme.one'] })).toEqual({
    dependencies: ['acme.base'],
    pack: ['acme.one'],
  })
  expect(needsOf({ extensionDependencies: 'acme.base', extensionPack: [7] })).toEqual({ dependencies: [], pack: [] })
  expect(needsOf(null)).toEqual({ dependencies: [], pack: [] })
})
