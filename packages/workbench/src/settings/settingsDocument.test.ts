import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  documentText,
  mergeDocuments,
  parseDocument,
  valuesOf,
  withValues,
  type SettingsDocument,
} from './settingsDocument.ts'

const documents: fc.Arbitrary<SettingsDocument> = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.record({ at: fc.integer({ min: 0, max: 3 }), value: fc.option(fc.constantFrom('1', '2'), { nil: undefined }) }),
  // Keys are names of settings.
  { noNullPrototype: true },
)

it('WB800: of each key the value that was set last stays, in whatever order two browsers meet', () => {
  fc.assert(
    fc.property(documents, documents, documents, (a, b, c) => {
      expect(valuesOf(mergeDocuments(a, b))).toEqual(new Map([...valuesOf(mergeDocuments(b, a))].toSorted()))
      const left = valuesOf(mergeDocuments(mergeDocuments(a, b), c))
      const right = valuesOf(mergeDocuments(a, mergeDocuments(b, c)))
      expect([...left].toSorted()).toEqual([...right].toSorted())
    }),
  )
  const here = withValues({}, new Map([['size', '12']]), 5)
  const there = withValues({}, new Map([['size', '16']]), 7)
  expect(valuesOf(mergeDocuments(there, here)).get('size')).toBe('16')
})

it('WB800: what was removed later stays removed, and what is set anew comes back', () => {
  const set = withValues({}, new Map([['size', '12']]), 5)
  const removed = withValues(set, new Map(), 6)
  expect(valuesOf(mergeDocuments(set, removed)).has('size')).toBe(false)
  const again = withValues(removed, new Map([['size', '13']]), 7)
  expect(valuesOf(mergeDocuments(again, removed)).get('size')).toBe('13')
})

it('WB800: a clock that is behind sets nothing in the past of what it has seen', () => {
  const seen = withValues({}, new Map([['size', '12']]), 1_000)
  const changed = withValues(seen, new Map([['size', '13']]), 10)
  expect(valuesOf(mergeDocuments(seen, changed)).get('size')).toBe('13')
})

it('WB802: a key that this editor does not know is not taken for removed', () => {
  const kept = withValues({}, new Map([['later', '1']]), 5)
  expect(valuesOf(withValues(kept, new Map(), 6, () => false)).get('later')).toBe('1')
})

it('WB800: a document is the same after it was kept as text; other text is refused', () => {
  const document = withValues(withValues({}, new Map([['a', '1']]), 5), new Map([['b', '"x"']]), 6)
  expect(parseDocument(documentText(document))).toEqual(document)
  expect(() => parseDocument('{"version":2,"entries":{}}')).toThrow()
})
