import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyOperation, anyText } from './arbitraries.ts'
import { ClientDocument } from './client-document.ts'
import { OperationError } from './operation-error.ts'
import { isNoop, type TextOperation } from './operation.ts'
import type { Selection } from './position.ts'

/** A document whose server accepts everything at once. */
function connected(text: string): ClientDocument & { flush(): void } {
  const document = new ClientDocument({ text, revision: 0 })
  const flush = () => {
    while (document.takeOutgoing()) document.ack()
  }
  return Object.assign(document, { flush })
}

describe('undo', () => {
  it('UN1: takes back the newest group first, redo brings the last one back', () => {
    const document = connected('')
    document.local(['one'], 1)
    document.local([3, ' two'], 2)
    document.local([7, '!'], 2)
    document.flush()
    expect(document.nextUndo()).toEqual({ key: 2, operation: [3, -5] })
    expect(document.undo()).toEqual({ key: 2, operation: [3, -5], selections: [{ anchor: 3, head: 3 }] })
    expect(document.text).toBe('one')
    expect(document.undo()?.key).toBe(1)
    expect(document.undo()).toBeUndefined()
    expect(document.nextRedo()).toEqual({ key: 1, operation: ['one'] })
    expect(document.redo()?.key).toBe(1)
    expect(document.redo()?.key).toBe(2)
    expect(document.redo()).toBeUndefined()
    expect(document.text).toBe('one two!')
  })

  it('UN1: undo and redo are ordinary operations on the wire', () => {
    const document = connected('abc')
    document.local([1, 'X', -1, 1], 1)
    document.flush()
    document.undo()
    expect(document.takeOutgoing()?.operation).toEqual([1, 'b', -1, 1])
    document.ack()
    document.redo()
    expect(document.takeOutgoing()?.operation).toEqual([1, 'X', -1, 1])
  })

  it('UN2: without keys a group ends at an undo, at another edit from outside, and where it is closed', () => {
    const document = connected('')
    document.local(['a'])
    document.local([1, 'b'])
    document.closeGroup()
    document.local([2, 'c'])
    document.flush()
    document.remote([3, '-'])
    document.local([4, 'd'])
    expect(document.text).toBe('abc-d')
    document.undo()
    expect(document.text).toBe('abc-')
    document.undo()
    expect(document.text).toBe('ab-')
    document.undo()
    expect(document.text).toBe('-')
  })

  it('UN2: edits with one key stay one group across edits from outside, but not across an undo', () => {
    const document = connected('')
    document.local(['a'], 'key')
    document.flush()
    document.remote([1, '-'])
    document.local([1, 'b', 1], 'key')
    document.undo()
    expect(document.text).toBe('-')
    document.redo()
    expect(document.text).toBe('ab-')
    document.local([3, 'c'], 'key')
    document.undo()
    expect(document.text).toBe('ab-')
  })

  it('UN3: a new edit clears redo, an edit from outside does not', () => {
    const document = connected('')
    document.local(['a'], 1)
    document.flush()
    document.undo()
    document.flush()
    document.remote(['r'])
    expect(document.nextRedo()?.operation).toEqual(['a', 1])
    document.local([1, 'b'], 2)
    expect(document.redo()).toBeUndefined()
    expect(document.text).toBe('rb')
  })

  it('UN4: own text that another author deleted stays deleted, the rest of the group is reverted', () => {
    const document = connected('..')
    document.local([1, 'mine', 1], 1)
    document.flush()
    document.remote([2, -2, 2])
    document.undo()
    expect(document.text).toBe('..')
    document.redo()
    expect(document.text).toBe('.me.')
  })

  it('UN4: a group with nothing left to do is passed over by the same undo and stays in line for redo', () => {
    const document = connected('')
    document.local(['one'], 1)
    document.local([3, 'two'], 2)
    document.local([6, 'three'], 3)
    document.flush()
    document.remote([3, -3, 5])
    document.undo()
    expect(document.undo()?.key).toBe(1)
    expect(document.text).toBe('')
    expect(document.redo()?.key).toBe(1)
    expect(document.redo()?.key).toBe(3)
    expect(document.text).toBe('onethree')
  })

  it('UN5: own deletion comes back in one piece beside what others typed there later', () => {
    const document = connected('[text]')
    document.local([1, -4, 1], 1)
    document.flush()
    document.remote([1, 'new', 1])
    document.undo()
    expect(document.text).toBe('[textnew]')
  })

  it('UN5: what others typed inside an unacknowledged deletion is inside the restored text', () => {
    const document = connected('[text]')
    document.local([1, -4, 1], 1)
    document.takeOutgoing()
    expect(document.remote([3, 'NEW', 3])).toEqual([1, 'NEW', 1])
    document.ack()
    document.undo()
    expect(document.text).toBe('[teNEWxt]')
  })

  it('UN6: text deleted by two authors at once belongs to the one the server orders first', () => {
    const first = connected('abcd')
    const second = connected('abcd')
    first.local([1, -2, 1], 1)
    second.local([-2, 2], 1)
    first.takeOutgoing()
    second.takeOutgoing()
    first.ack()
    second.remote([1, -2, 1])
    expect(second.inFlight?.operation).toEqual([-1, 1])
    second.ack()
    first.remote([-1, 1])
    expect(second.undo()?.operation).toEqual(['a', 1])
    expect(first.undo()?.operation).toEqual(['bc', 1])
  })

  it('UN6: a deletion that waits to be sent is lost to one that the server has', () => {
    const document = connected('abcd')
    document.local([1, -2, 1], 1)
    document.remote([2, -1, 1])
    document.undo()
    expect(document.text).toBe('abd')
  })

  it('UN7: undo of what was not sent takes it out of the queue', () => {
    const document = connected('ab')
    document.local([1, 'X', -1], 1)
    document.undo()
    expect(document.state).toBe('synchronized')
    expect(document.takeOutgoing()).toBeUndefined()
    document.redo()
    expect(document.takeOutgoing()?.operation).toEqual([1, 'X', -1])
  })

  it('UN7: undo of what is in flight waits as its exact inverse, whatever comes in between', () => {
    const document = connected('[text]')
    document.local([1, 'X', -4, 1], 1)
    document.takeOutgoing()
    document.undo()
    expect(document.text).toBe('[text]')
    expect(document.remote([3, 'NEW', -1, 2])).toEqual([3, 'NEW', -1, 2])
    document.ack()
    expect(document.takeOutgoing()?.operation).toEqual([1, 'te', -1, 3, 't', 1])
    document.ack()
    expect(document.text).toBe('[teNEWt]')
  })

  it('UN7: redo of what is in flight takes the queued inverse back', () => {
    const document = connected('ab')
    document.local([1, 'X', 1], 1)
    document.takeOutgoing()
    document.undo()
    document.redo()
    document.ack()
    expect([document.text, document.state]).toEqual(['aXb', 'synchronized'])
  })

  it('UN8: text that others delete and bring back is theirs: undo leaves it', () => {
    const document = connected('..')
    document.local([1, 'mine', 1], 1)
    document.flush()
    document.remote([1, -4, 1])
    document.remote([1, 'mine', 1])
    expect(document.undo()).toBeUndefined()
    expect(document.text).toBe('.mine.')
  })

  it('UN10: one author alone gets every earlier text and selection back exactly', () => {
    const script = fc.array(fc.tuple(fc.nat(2 ** 30), fc.nat(3), fc.boolean()), { maxLength: 12 })
    fc.assert(
      fc.property(anyText, script, (text, steps) => {
        const document = connected(text)
        const before = new Map<unknown, { text: string; selections: Selection[] }>()
        let key = 0
        for (const [seed, pace, isNewGroup] of steps) {
          const [operation] = fc.sample(anyOperation(document.length), { numRuns: 1, seed }) as [TextOperation]
          if (isNoop(operation)) continue
          if (isNewGroup) key += 1
          const anchor = seed % (document.length + 1)
          const selections = [{ anchor, head: (anchor * 7) % (document.length + 1) }]
          if (!before.has(key)) before.set(key, { text: document.text, selections })
          document.local(operation, key, selections)
          if (pace === 0) document.takeOutgoing()
          if (pace === 1 && document.inFlight) document.ack()
          if (pace === 2 && !document.inFlight) document.flush()
        }
        const texts = [document.text]
        for (let done = document.undo(); done; done = document.undo()) {
          texts.push(document.text)
          expect({ text: document.text, selections: done.selections }).toEqual(before.get(done.key))
        }
        expect(document.text).toBe(text)
        const redone = [document.text]
        while (document.redo()) redone.push(document.text)
        expect(redone).toEqual(texts.toReversed())
      }),
      { numRuns: 500 },
    )
  })

  it('UN11: clearing undo leaves the text and the unsent work', () => {
    const document = connected('ab')
    document.local([1, 'X', 1], 1)
    document.local([1, 'Y', 2], 2)
    document.undo()
    document.clearUndo()
    expect(document.undo()).toBeUndefined()
    expect(document.redo()).toBeUndefined()
    expect(document.takeOutgoing()?.operation).toEqual([1, 'X', 1])
    document.ack()
    expect([document.text, document.state]).toEqual(['aXb', 'synchronized'])
  })

  it('UN12: undo gives back the selections of before its group, moved with their text; redo puts a caret after each change', () => {
    const document = connected('one two three')
    document.local([4, 'X', -3, 6], 1, [{ anchor: 7, head: 4 }])
    document.local([5, 'Y', 6], 1, [{ anchor: 5, head: 5 }])
    document.flush()
    document.remote(['>>', 12])
    expect(document.undo()?.selections).toEqual([{ anchor: 9, head: 6 }])
    expect(document.redo()?.selections).toEqual([{ anchor: 8, head: 8 }])
  })

  it('UN12: refuses selections outside of the text', () => {
    const document = connected('ab')
    expect(() => document.local([2, 'c'], 1, [{ anchor: 3, head: 0 }])).toThrow(OperationError)
    expect([document.text, document.state]).toEqual(['ab', 'synchronized'])
  })

  it('UN13: undo and redo of an earlier editing go on in a new document and follow edits from outside', () => {
    const earlier = connected('base')
    earlier.local([4, ' one'], 1)
    earlier.local([-4, 4], 2)
    earlier.local([4, ' three'], 3)
    earlier.flush()
    earlier.undo()
    const { text } = earlier
    const future = [{ key: 3, operation: earlier.nextRedo()!.operation }]
    const past = [{ key: 2, operation: earlier.nextUndo()!.operation }]
    earlier.undo()
    past.push({ key: 1, operation: earlier.nextUndo()!.operation })

    const document = new ClientDocument({ text, revision: 9, past, future })
    expect([document.text, document.state, document.revision]).toEqual([' one', 'synchronized', 9])
    document.remote([4, '!'])
    expect(document.nextRedo()).toEqual({ key: 3, operation: [4, ' three', 1] })
    expect(document.undo()?.key).toBe(2)
    expect(document.text).toBe('base one!')
    expect(document.takeOutgoing()).toEqual({ operation: ['base', 5], revision: 10, sequence: 1 })
    expect(document.undo()?.key).toBe(1)
    expect(document.text).toBe('base!')
    expect([document.redo()?.key, document.redo()?.key, document.redo()?.key]).toEqual([1, 2, 3])
    expect(document.text).toBe(' one three!')
  })
})
