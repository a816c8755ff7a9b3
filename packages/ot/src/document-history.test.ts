import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyOperation, anyText } from './arbitraries.ts'
import { DocumentHistory } from './document-history.ts'
import { OperationError } from './operation-error.ts'
import type { OperationErrorCode } from './operation-error.ts'
import { apply, MAXIMUM_DOCUMENT_LENGTH } from './operation.ts'
import type { TextOperation } from './operation.ts'

function codeOf(action: () => unknown): OperationErrorCode | 'no error' {
  try {
    action()
  } catch (error) {
    if (error instanceof OperationError) return error.code
    throw error
  }
  return 'no error'
}

function typed(text: string, limits = {}): DocumentHistory {
  const history = new DocumentHistory({ text: '', revision: 0 }, limits)
  for (const character of text)
    history.receive(history.length === 0 ? [character] : [history.length, character], history.revision)
  return history
}

describe('document history', () => {
  it('DH1: the revision is the number of accepted operations, those that change nothing included', () => {
    const history = new DocumentHistory({ text: 'abc', revision: 0 })
    expect(history.receive([3], 0)).toEqual({ operation: [3], revision: 1, duplicate: false })
    expect(history.receive([], 1)).toEqual({ operation: [3], revision: 2, duplicate: false })
    expect(history.receive([3, 'd'], 2).revision).toBe(3)
    expect(history.text).toBe('abcd')
    expect(history.length).toBe(4)
  })

  it('DH2: an operation made earlier is rebased; its text goes left of text accepted before it', () => {
    const history = new DocumentHistory({ text: 'ab', revision: 0 })
    history.receive([1, 'first', 1], 0)
    expect(history.receive([1, 'late', 1], 0)).toEqual({ operation: [1, 'late', 6], revision: 2, duplicate: false })
    expect(history.text).toBe('alatefirstb')
  })

  it('DH3: refuses revisions that are negative, broken, ahead or no longer kept, and stays unchanged', () => {
    const history = typed('abcdef', { window: 2 })
    expect(history.oldestRevision).toBe(4)
    expect(codeOf(() => history.receive([6], -1))).toBe('REVISION_INVALID')
    expect(codeOf(() => history.receive([6], 1.5))).toBe('REVISION_INVALID')
    expect(codeOf(() => history.receive([6], 7))).toBe('REVISION_AHEAD')
    expect(codeOf(() => history.receive([3], 3))).toBe('REVISION_TOO_OLD')
    expect(codeOf(() => history.operationsSince(3))).toBe('REVISION_TOO_OLD')
    expect(codeOf(() => history.acknowledge('x', 7))).toBe('REVISION_AHEAD')
    expect(codeOf(() => history.acknowledge('x', -7))).toBe('REVISION_INVALID')
    expect([history.text, history.revision]).toEqual(['abcdef', 6])
  })

  it('DH4: refuses operations that do not fit, and stays unchanged', () => {
    const history = typed('abc')
    expect(codeOf(() => history.receive([2, 'x'], 3))).toBe('LENGTH_MISMATCH')
    expect(codeOf(() => history.receive([3, 'x'], 2))).toBe('LENGTH_MISMATCH')
    expect([history.text, history.revision]).toEqual(['abc', 3])
  })

  it('DH5: refuses growth past the largest length, but lets a longer text shrink', () => {
    const history = new DocumentHistory({ text: 'x'.repeat(MAXIMUM_DOCUMENT_LENGTH + 10), revision: 0 })
    expect(codeOf(() => history.receive([history.length, 'y'], 0))).toBe('DOCUMENT_TOO_LARGE')
    expect(history.receive([-5, history.length - 5], 0).revision).toBe(1)
    expect(history.length).toBe(MAXIMUM_DOCUMENT_LENGTH + 5)
  })

  it('DH6: a resent operation is answered as before and not applied again', () => {
    const history = new DocumentHistory({ text: '', revision: 0 })
    history.receive(['a'], 0, { client: 'one', sequence: 1 })
    history.receive(['b'], 0, { client: 'two', sequence: 1 })
    expect(history.receive(['a'], 0, { client: 'one', sequence: 1 })).toEqual({
      operation: [2],
      revision: 1,
      duplicate: true,
    })
    expect(history.text).toBe('ba')
    expect(history.lastAccepted('one')).toEqual({ sequence: 1, revision: 1 })
    expect(history.receive([2, 'c'], 2, { client: 'one', sequence: 2 }).revision).toBe(3)
    expect(codeOf(() => history.receive(['a'], 0, { client: 'one', sequence: 1 }))).toBe('SEQUENCE_TOO_OLD')
    expect(history.text).toBe('bac')
    expect(history.lastAccepted('three')).toBeUndefined()
  })

  it('DH7: replays what was accepted after a revision, with authors', () => {
    const history = new DocumentHistory({ text: '', revision: 0 })
    history.receive(['a'], 0, { client: 'one', sequence: 1 })
    history.receive([1, 'b'], 1)
    expect(history.operationsSince(0)).toEqual([
      { operation: ['a'], revision: 1, author: { client: 'one', sequence: 1 } },
      { operation: [1, 'b'], revision: 2 },
    ])
    expect(history.operationsSince(2)).toEqual([])
  })

  it('DH8: drops operations that every open client has, but keeps a window for clients that come back', () => {
    const history = typed('abcdefgh', { window: 2 })
    expect(history.oldestRevision).toBe(6)
    history.acknowledge('slow', 6)
    history.acknowledge('fast', 8)
    for (let index = 0; index < 4; index += 1) history.receive([history.length, 'x'], history.revision)
    expect(history.oldestRevision).toBe(6)
    history.acknowledge('fast', 12)
    history.acknowledge('slow', 9)
    expect(history.oldestRevision).toBe(9)
    history.acknowledge('slow', 7)
    history.leave('slow')
    history.leave('fast')
    expect(history.oldestRevision).toBe(10)
  })

  it('DH8: keeps no more than the maximum, in operations and in text, however slow a client is', () => {
    const history = new DocumentHistory({ text: '', revision: 0 }, { window: 2, maximum: 4, maximumText: 100 })
    history.acknowledge('slow', 0)
    for (let index = 0; index < 9; index += 1) history.receive(index === 0 ? ['x'] : [index, 'x'], index)
    expect(history.oldestRevision).toBe(5)
    history.receive([9, 'x'.repeat(99)], 9)
    expect(history.oldestRevision).toBe(8)
    history.receive([108, 'x'.repeat(101)], 10)
    expect(history.oldestRevision).toBe(11)
    expect(history.length).toBe(209)
  })

  it('DH8: remembers the clients that were accepted last', () => {
    const history = new DocumentHistory({ text: '', revision: 0 }, { clients: 2 })
    for (const client of ['a', 'b', 'a', 'c']) {
      const sequence = (history.lastAccepted(client)?.sequence ?? 0) + 1
      history.receive([], history.revision, { client, sequence })
    }
    expect(history.lastAccepted('a')).toEqual({ sequence: 2, revision: 3 })
    expect(history.lastAccepted('b')).toBeUndefined()
    expect(history.lastAccepted('c')).toEqual({ sequence: 1, revision: 4 })
  })

  it('DH9: a snapshot goes on exactly where the document was', () => {
    const history = typed('abc')
    history.receive([3, 'd'], 3, { client: 'one', sequence: 7 })
    const restored = new DocumentHistory(structuredClone(history.snapshot()))
    expect(restored.receive([3, 'd'], 3, { client: 'one', sequence: 7 })).toEqual({
      operation: [4],
      revision: 4,
      duplicate: true,
    })
    expect(restored.receive(['x'], 0).operation).toEqual(['x', 4])
    expect(restored.text).toBe('xabcd')
    expect(restored.operationsSince(0)).toHaveLength(5)
  })

  it('DH10: the text equals the accepted operations applied one by one', () => {
    const script = anyText.chain((text) =>
      fc.tuple(fc.constant(text), fc.array(fc.tuple(fc.nat(20), fc.nat(2 ** 30)), { maxLength: 20 })),
    )
    fc.assert(
      fc.property(script, ([text, steps]) => {
        const history = new DocumentHistory({ text, revision: 0 })
        const texts = [text]
        for (const [back, seed] of steps) {
          const revision = Math.max(0, history.revision - back)
          const operation = fc.sample(anyOperation(texts[revision]!.length), { numRuns: 1, seed })[0] as TextOperation
          const accepted = history.receive(operation, revision)
          texts.push(apply(texts.at(-1)!, accepted.operation))
        }
        expect(history.text).toBe(texts.at(-1))
        expect(history.length).toBe(history.text.length)
      }),
    )
  })

  it('DH11: typing into a document of five million characters does not copy it at each keystroke', () => {
    const history = new DocumentHistory({ text: 'x'.repeat(MAXIMUM_DOCUMENT_LENGTH - 5000), revision: 0 })
    for (let index = 0; index < 5000; index += 1) {
      const at = (index * 7919) % history.length
      history.receive([at, 'y', history.length - at], history.revision)
    }
    expect(history.text.length).toBe(MAXIMUM_DOCUMENT_LENGTH)
    expect(history.text.replaceAll('x', '')).toBe('y'.repeat(5000))
  })
})
