import { describe, expect, it } from 'vitest'
import { ClientDocument } from './client-document.ts'
import { diff } from './diff.ts'
import { DocumentHistory } from './document-history.ts'
import { OperationError, type OperationErrorCode } from './operation-error.ts'
import { apply } from './operation.ts'

function codeOf(action: () => unknown): OperationErrorCode | 'no error' {
  try {
    action()
  } catch (error) {
    if (error instanceof OperationError) return error.code
    throw error
  }
  return 'no error'
}

describe('client document', () => {
  it('CD1: goes from synchronized to pending and back', () => {
    const document = new ClientDocument({ text: 'ab', revision: 7 })
    expect([document.state, document.takeOutgoing()]).toEqual(['synchronized', undefined])
    document.local([2, 'c'])
    expect([document.state, document.text, document.revision]).toEqual(['pending', 'abc', 7])
    expect(document.takeOutgoing()).toEqual({ operation: [2, 'c'], revision: 7, sequence: 1 })
    expect(document.state).toBe('pending')
    document.ack(8)
    expect([document.state, document.text, document.revision]).toEqual(['synchronized', 'abc', 8])
  })

  it('CD1: counts what the server has not accepted', () => {
    const document = new ClientDocument({ text: '', revision: 0 })
    document.local(['a'], 1)
    document.local([1, 'b'], 2)
    expect(document.pendingCount).toBe(2)
    document.takeOutgoing()
    expect(document.pendingCount).toBe(2)
    document.ack()
    expect(document.pendingCount).toBe(1)
    document.undo()
    expect(document.pendingCount).toBe(0)
  })

  it('CD1: an edit that changes nothing is not sent', () => {
    const document = new ClientDocument({ text: 'ab', revision: 0 })
    document.local([2])
    document.local([])
    expect(document.state).toBe('synchronized')
    expect(document.undo()).toBeUndefined()
  })

  it('CD2: one operation is in flight; later edits of a group wait in one operation based on the then current revision', () => {
    const document = new ClientDocument({ text: '', revision: 0 })
    document.local(['a'])
    document.takeOutgoing()
    document.local([1, 'b'])
    document.local([2, 'c'])
    expect(document.takeOutgoing()).toBeUndefined()
    document.remote(['x'])
    document.ack(2)
    expect(document.takeOutgoing()).toEqual({ operation: [1, 'bc', 1], revision: 2, sequence: 2 })
  })

  it('CD3: the queue is sent undo group by undo group', () => {
    const document = new ClientDocument({ text: '', revision: 0 })
    document.local(['a'], 'one')
    document.local([1, 'b'], 'one')
    document.local([2, 'c'], 'two')
    document.local(['d', 3], 'three')
    const sent = []
    for (let out = document.takeOutgoing(); out; out = document.takeOutgoing()) {
      sent.push(out.operation)
      document.ack()
    }
    expect(sent).toEqual([['ab'], [2, 'c'], ['d', 3]])
  })

  it('CD4: another operation is rebased over everything unacknowledged; own text stays left', () => {
    const document = new ClientDocument({ text: 'ab', revision: 0 })
    document.local([1, 'X', 1], 'one')
    document.takeOutgoing()
    document.local([2, 'Y', 1], 'two')
    expect(document.remote([1, 'r', 1])).toEqual([3, 'r', 1])
    expect(document.text).toBe('aXYrb')
    expect(document.inFlight).toEqual({ operation: [1, 'X', 2], revision: 1, sequence: 1 })
    document.ack(2)
    expect(document.takeOutgoing()).toEqual({ operation: [2, 'Y', 2], revision: 2, sequence: 2 })
  })

  it('CD4: stays in the order of the wire when a deletion joins two changes in flight', () => {
    const document = new ClientDocument({ text: 'abcdef', revision: 0 })
    document.local([1, -1, 1, 'X', 3])
    document.takeOutgoing()
    document.remote([2, -1, 3])
    document.remote([1, 'r', 4])
    expect(document.inFlight?.operation).toEqual([1, 'X', 1, -1, 3])
    expect(document.text).toBe('aXrdef')
  })

  it('CD5: refuses what does not fit and stays as it was', () => {
    const document = new ClientDocument({ text: 'ab', revision: 0 })
    expect(codeOf(() => document.local([3, 'x']))).toBe('LENGTH_MISMATCH')
    expect(codeOf(() => document.remote([3, 'x']))).toBe('LENGTH_MISMATCH')
    expect(codeOf(() => document.ack())).toBe('NOTHING_IN_FLIGHT')
    document.local([2, 'c'])
    document.takeOutgoing()
    expect(codeOf(() => document.ack(2))).toBe('ACKNOWLEDGEMENT_OUT_OF_ORDER')
    expect([document.text, document.revision, document.state]).toEqual(['abc', 0, 'pending'])
    document.ack(1)
    expect(document.state).toBe('synchronized')
  })

  it('CD6: while resyncing, edits are kept, nothing is sent and what arrives is ignored', () => {
    const document = new ClientDocument({ text: 'ab', revision: 0 })
    document.local([2, 'c'])
    document.takeOutgoing()
    document.beginResync()
    expect(document.remote([2, 'x'])).toEqual([3])
    document.ack(1)
    document.local([3, 'd'])
    expect([document.text, document.revision, document.state]).toEqual(['abcd', 0, 'resyncing'])
    expect(document.takeOutgoing()).toBeUndefined()
  })

  it('CD7: a replay takes over each missed operation in order and finds the own one at its place', () => {
    const server = new DocumentHistory({ text: 'ab', revision: 0 })
    const document = new ClientDocument({ text: 'ab', revision: 0, client: 'me' })
    document.local([2, 'mine'])
    const sent = document.takeOutgoing()!
    server.receive([2, 'before'], 0, { client: 'other', sequence: 1 })
    server.receive(sent.operation, sent.revision, { client: 'me', sequence: sent.sequence })
    server.receive([12, 'after'], 2, { client: 'other', sequence: 2 })
    document.beginResync()
    document.local(['later', 6])
    const operation = document.resync({ operations: server.operationsSince(document.revision) })
    expect(apply('laterabmine', operation)).toBe(document.text)
    expect(document.text).toBe('laterabminebeforeafter')
    expect(document.revision).toBe(3)
    expect(document.takeOutgoing()).toEqual({ operation: ['later', server.length], revision: 3, sequence: 2 })
  })

  it('CD7: an operation that the server does not have is handed out again with its sequence', () => {
    const document = new ClientDocument({ text: 'ab', revision: 0, client: 'me' })
    document.local([2, 'c'])
    document.takeOutgoing()
    document.beginResync()
    document.resync({ operations: [{ operation: ['x', 2], revision: 1 }] })
    expect(codeOf(() => document.ack())).toBe('NOTHING_IN_FLIGHT')
    expect(document.takeOutgoing()).toEqual({ operation: [3, 'c'], revision: 1, sequence: 1 })
    expect(document.takeOutgoing()).toBeUndefined()
    document.ack(2)
    expect([document.text, document.state]).toEqual(['xabc', 'synchronized'])
  })

  it('CD7: refuses a replay with a gap or of another text, and stays as it was', () => {
    const document = new ClientDocument({ text: 'ab', revision: 5 })
    document.beginResync()
    const gap = [
      { operation: ['x', 2], revision: 6 },
      { operation: ['x', 3], revision: 8 },
    ]
    const misfit = [
      { operation: ['x', 2], revision: 6 },
      { operation: ['x', 2], revision: 7 },
    ]
    expect(codeOf(() => document.resync({ operations: gap }))).toBe('REPLAY_MISMATCH')
    expect(codeOf(() => document.resync({ operations: misfit }))).toBe('REPLAY_MISMATCH')
    expect([document.text, document.revision, document.state]).toEqual(['ab', 5, 'resyncing'])
  })

  it('CD8: a resync by text keeps unsent work and resends what was not accepted', () => {
    const document = new ClientDocument({ text: 'one two', revision: 3 })
    document.local([7, ' mine'], 1)
    document.takeOutgoing()
    document.local(['me ', 12], 2)
    document.beginResync()
    document.resync({ text: 'one 2 two', revision: 9, accepted: false })
    expect([document.text, document.revision]).toEqual(['me one 2 two mine', 9])
    expect(document.takeOutgoing()).toEqual({ operation: [9, ' mine'], revision: 9, sequence: 1 })
  })

  it('CD8: a resync by text does not resend what was accepted', () => {
    const document = new ClientDocument({ text: 'one two', revision: 3 })
    document.local([7, ' mine'], 1)
    document.takeOutgoing()
    document.beginResync()
    document.resync({ text: 'one 2 two mine', revision: 9, accepted: true })
    expect([document.text, document.state]).toEqual(['one 2 two mine', 'synchronized'])
  })

  it('CD9: without word of the operation in flight, the nearer text decides', () => {
    for (const [text, state] of [
      ['one two mine!', 'synchronized'],
      ['one two!', 'pending'],
    ] as const) {
      const document = new ClientDocument({ text: 'one two', revision: 3 })
      document.local([7, ' mine'])
      document.takeOutgoing()
      document.beginResync()
      document.resync({ text, revision: 4 })
      expect([document.text, document.state]).toEqual(['one two mine!', state])
    }
  })

  it('CD10: typing into a document of five million characters does not copy it at each keystroke', () => {
    const document = new ClientDocument({ text: 'x'.repeat(4_999_000), revision: 0 })
    for (let index = 0; index < 1000; index += 1) {
      document.local([2_000_000 + index, 'y', document.length - 2_000_000 - index])
      document.takeOutgoing()
      document.remote([document.length - (document.inFlight ? 1 : 0)])
      document.ack()
    }
    expect(document.length).toBe(5_000_000)
    expect(document.text.slice(1_999_999, 2_001_001)).toBe(`x${'y'.repeat(1000)}x`)
  })

  it('CD11: another document goes on where one ended, whether or not its last operation arrived', () => {
    for (const arrived of [true, false]) {
      const history = new DocumentHistory({ text: 'one two', revision: 0 })
      const ended = new ClientDocument({ text: 'one two', revision: 0, client: 'a', sequence: 4 })
      ended.local([7, ' three'], 1)
      const sent = ended.takeOutgoing()!
      expect(sent.sequence).toBe(5)
      ended.local([13, ' four'], 2)
      ended.remote(history.receive(['zero ', 7], 0, { client: 'b', sequence: 1 }).operation)
      const inFlight = ended.inFlight!
      expect([ended.serverText, ended.revision]).toEqual(['zero one two', 1])
      if (arrived) history.receive(sent.operation, sent.revision, { client: 'a', sequence: 5 })

      const next = new ClientDocument({ text: ended.serverText, revision: 1, client: 'a', sequence: 4 })
      next.local(inFlight.operation, 1)
      next.takeOutgoing()
      next.local(diff(next.text, ended.text), 2)
      next.beginResync()
      next.resync({ operations: history.operationsSince(1) })
      for (let out = next.takeOutgoing(); out; out = next.takeOutgoing()) {
        const { revision } = history.receive(out.operation, out.revision, { client: 'a', sequence: out.sequence })
        next.ack(revision)
      }
      expect([history.text, next.text]).toEqual(['zero one two three four', 'zero one two three four'])
    }
  })
})
