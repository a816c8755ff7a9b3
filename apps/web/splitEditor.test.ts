import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chunksOf, partsByOrder, reachedFrom } from './splitEditor.ts'

const graphOf = (imports: Record<string, string[]>) => (id: string) => imports[id] && { size: 10, imports: imports[id] }
const cut = (imports: Record<string, string[]>, parts: number, without = new Set<string>()) => {
  const graph = graphOf(imports)
  return partsByOrder([...reachedFrom(['entry'], graph, without)], { graph, parts })
}

it('cuts modules in the order in which they run', () => {
  const parts = cut({ entry: ['c', 'd'], c: ['a', 'b'], a: [], b: ['a'], d: ['b'] }, 2)
  expect([...parts]).toEqual([
    ['a', 0],
    ['b', 0],
    ['c', 0],
    ['d', 1],
    ['entry', 1],
  ])
})

it('never cuts through a circle of imports', () => {
  const parts = cut({ entry: ['a', 'last'], a: ['b'], b: ['c'], c: ['a'], last: [] }, 5)
  expect(new Set(['a', 'b', 'c'].map((id) => parts.get(id)))).toEqual(new Set([0]))
  expect(parts.get('last')).toBe(1)
})

it('leaves out what other pages have', () => {
  const parts = cut(
    { entry: ['react', 'a'], react: ['scheduler'], scheduler: [], a: [] },
    2,
    new Set(['react', 'scheduler']),
  )
  expect([...parts.keys()]).toEqual(['a', 'entry'])
})

it('gives no part an import of a later one, whatever imports what', () => {
  const ids = ['entry', ...Array.from({ length: 12 }, (_, at) => `m${at}`)]
  const anyGraph = fc
    .array(fc.subarray(ids.slice(1)), { minLength: ids.length, maxLength: ids.length })
    .map((lists) => Object.fromEntries(ids.map((id, at) => [id, lists[at]!])))
  fc.assert(
    fc.property(anyGraph, fc.integer({ min: 1, max: 5 }), (imports, count) => {
      const parts = cut(imports, count)
      for (const [id, part] of parts) {
        for (const imported of imports[id]!) expect(parts.get(imported)!).toBeLessThanOrEqual(part)
      }
    }),
  )
})

it('WB1014: gives the light editor chunks that hold nothing of the workbench alone', () => {
  const imports = {
    workbench: ['terminal', 'search', 'model', 'react'],
    light: ['views', 'model', 'theme', 'react'],
    terminal: ['theme'],
    search: ['model'],
    views: ['model'],
    model: [],
    theme: [],
    react: [],
  }
  const chunks = chunksOf(['workbench', 'light'], graphOf(imports), new Set(['react']))
  // What the light editor alone has is its own chunk, and so is the last part of the workbench.
  expect(Object.fromEntries(chunks)).toEqual({
    theme: 'editor1',
    model: 'editor2',
    terminal: 'workbench1',
    search: 'workbench1',
  })
})
