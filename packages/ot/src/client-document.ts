import { diff } from './diff.ts'
import type { AcceptedOperation } from './document-history.ts'
import { LazyText } from './lazy-text.ts'
import { OperationError } from './operation-error.ts'
import { apply, baseLength, invert, isNoop, noop, targetLength, type TextOperation } from './operation.ts'
import { compose } from './compose.ts'
import type { PendingStep, UndoGroup } from './run.ts'
import { TrackedText } from './tracked-text.ts'
import { caretsAfter, type Selection } from './position.ts'
import { UndoManager, type UndoAction, type UndoResult } from './undo-manager.ts'

/**
 * - `synchronized`: the server has everything.
 * - `pending`: an operation is in flight or waits to be sent.
 * - `resyncing`: the connection or the order was lost; edits are taken, nothing is sent until `resync`.
 */
export type ClientDocumentState = 'synchronized' | 'pending' | 'resyncing'

/** An operation to be sent: made at `revision`; `sequence` counts this document's operations from 1 and names a resend. */
export interface OutgoingOperation {
  operation: TextOperation
  revision: number
  sequence: number
}

/**
 * How the document goes on after a break.
 * - With `operations`: everything the server accepted after this document's revision. Nothing is guessed.
 * - With `text`: the whole text. `accepted` tells whether it holds the operation in flight; without it the nearer text decides.
 */
export type ResyncAnswer =
  { operations: readonly AcceptedOperation[] } | { text: string; revision: number; accepted?: boolean }

export interface ClientDocumentOptions {
  text: string
  revision: number
  /** This document's key as an author, unlike that of any other open document. Finds own operations in a replay. */
  client?: string
  /** Undo actions of an earlier editing of the same text, the next one first. */
  past?: readonly UndoAction[]
  /** Redo actions, the next one first. */
  future?: readonly UndoAction[]
}

/**
 * The client's side of a document: the local text, one operation in flight at most, and a queue with one operation for each
 * undo group, its undo or its redo. The editor shows `text`; every operation returned is to be applied to the editor.
 */
export class ClientDocument {
  readonly #client: string | undefined
  readonly #text: LazyText
  readonly #tracked: TrackedText
  readonly #undo: UndoManager
  #revision: number
  #queue: PendingStep[] = []
  #inFlight: PendingStep | undefined
  #sequence = 0
  #isResyncing = false
  #mustResend = false

  /** @throws OperationError LENGTH_MISMATCH when `past` or `future` do not fit the text */
  constructor({ text, revision, client, past = [], future = [] }: ClientDocumentOptions) {
    this.#client = client
    this.#revision = revision
    let oldest = text
    const edits: UndoAction[] = []
    for (const { key, operation } of past) {
      edits.push({ key, operation: invert(operation, oldest) })
      oldest = apply(oldest, operation)
    }
    this.#text = new LazyText(oldest)
    this.#tracked = new TrackedText(oldest.length)
    this.#undo = new UndoManager(this.#tracked)
    for (const { key, operation } of [...edits.toReversed(), ...future]) {
      this.#undo.close()
      this.local(operation, key)
    }
    for (const { operation } of future) if (!isNoop(operation)) this.undo()
    for (const step of this.#queue) {
      this.#tracked.send(step)
      this.#tracked.acknowledge(step)
    }
    this.#queue = []
  }

  get text(): string {
    return this.#text.read()
  }

  /** Length of the text in UTF-16 code units; cheaper than reading the text. */
  get length(): number {
    return this.#text.length
  }

  /** The last server revision that this document has. */
  get revision(): number {
    return this.#revision
  }

  get state(): ClientDocumentState {
    if (this.#isResyncing) return 'resyncing'
    if (!this.#inFlight) this.#dropEmptySteps()
    return this.#inFlight || this.#queue.length > 0 ? 'pending' : 'synchronized'
  }

  /** Operations that the server has not accepted yet: the one in flight and those that wait. */
  get pendingCount(): number {
    if (!this.#inFlight) this.#dropEmptySteps()
    return (this.#inFlight ? 1 : 0) + this.#queue.length
  }

  /** The server's text as it was heard last, and the same with the operation in flight, which the server may have by now. */
  get serverTexts(): { known: string; sent: string } {
    const known = this.#tracked.serverText(this.text)
    return { known, sent: this.#inFlight ? apply(known, this.#tracked.operationOf(this.#inFlight)) : known }
  }

  /** The operation in flight as it would have to be sent now, or undefined. */
  get inFlight(): OutgoingOperation | undefined {
    if (!this.#inFlight) return undefined
    return {
      operation: this.#tracked.operationOf(this.#inFlight),
      revision: this.#revision,
      sequence: this.#sequence,
    }
  }

  /**
   * Takes over an edit of the local author. Edits with the same `key` in a row are one undo group; without a key, a group
   * goes on until an undo, a redo, somebody else's edit or `closeGroup`. `selections` are those before the edit; undoing
   * the group gives back those before its first edit.
   * @throws OperationError LENGTH_MISMATCH
   */
  local(operation: TextOperation, key?: unknown, selections: readonly Selection[] = []): void {
    if (operation.length > 0 && baseLength(operation) !== this.length) {
      throw new OperationError('LENGTH_MISMATCH', `It needs ${baseLength(operation)} units, not ${this.length}.`)
    }
    if (isNoop(operation)) return
    if (selections.some(({ anchor, head }) => Math.max(anchor, head) > this.length || Math.min(anchor, head) < 0)) {
      throw new OperationError('LENGTH_MISMATCH', 'A selection is outside of the text.')
    }
    const group = this.#undo.groupFor(key, selections)
    const last = this.#queue.at(-1)
    const continues = last?.group === group && last.kind === 'do'
    this.#tracked.edit(operation, continues ? last : this.#enqueue(group, 'do'), () => this.text)
    this.#text.change(operation)
  }

  /**
   * Takes over somebody else's operation and returns it for the local text. Ignored while resyncing.
   * @throws OperationError LENGTH_MISMATCH; the document is unchanged and has to resync
   */
  remote(operation: TextOperation): TextOperation {
    if (this.#isResyncing) return noop(this.length)
    return this.#takeOver(operation)
  }

  /** The next operation to send, or undefined while one is in flight, nothing waits, or the document is resyncing. */
  takeOutgoing(): OutgoingOperation | undefined {
    if (this.#isResyncing) return undefined
    if (this.#inFlight) {
      if (!this.#mustResend) return undefined
      this.#mustResend = false
      return this.inFlight
    }
    for (let step = this.#queue.shift(); step; step = this.#queue.shift()) {
      this.#tracked.send(step)
      const operation = this.#tracked.operationOf(step)
      if (isNoop(operation)) continue
      this.#inFlight = step
      this.#sequence += 1
      return { operation, revision: this.#revision, sequence: this.#sequence }
    }
    return undefined
  }

  /**
   * The server has accepted the operation in flight, as `revision` when it says so. Ignored while resyncing.
   * @throws OperationError NOTHING_IN_FLIGHT, ACKNOWLEDGEMENT_OUT_OF_ORDER; the document is unchanged and has to resync
   */
  ack(revision?: number): void {
    if (this.#isResyncing) return
    if (!this.#inFlight || this.#mustResend) throw new OperationError('NOTHING_IN_FLIGHT')
    if (revision !== undefined && revision !== this.#revision + 1) {
      throw new OperationError('ACKNOWLEDGEMENT_OUT_OF_ORDER', `Expected ${this.#revision + 1}, got ${revision}.`)
    }
    this.#settle(this.#inFlight)
    this.#revision += 1
  }

  /** Stops sending and ignores what arrives until `resync`. Call when the connection is lost or an error is answered. */
  beginResync(): void {
    this.#isResyncing = true
  }

  /**
   * Goes on from the server's answer and returns the operation for the local text. Unsent work and undo are kept; an
   * operation in flight that the server does not have is handed out again, with its sequence.
   * @throws OperationError REPLAY_MISMATCH; the document is unchanged, ask for the text then
   */
  resync(answer: ResyncAnswer): TextOperation {
    let local = noop(this.length)
    if ('operations' in answer) {
      this.#checkReplay(answer.operations)
      for (const { operation, author } of answer.operations) {
        if (this.#isInFlight(author)) {
          this.#settle(this.#inFlight!)
          this.#revision += 1
        } else {
          local = compose(local, this.#takeOver(operation))
        }
      }
    } else {
      const { known: before, sent } = this.serverTexts
      let known = before
      if (this.#inFlight) {
        const accepted = answer.accepted ?? distance(sent, answer.text) < distance(before, answer.text)
        if (accepted) {
          this.#settle(this.#inFlight)
          known = sent
        }
      }
      local = this.#takeOver(diff(known, answer.text))
      this.#revision = answer.revision
    }
    this.#mustResend = this.#inFlight !== undefined
    this.#isResyncing = false
    return local
  }

  /** Takes back the newest group of the local author that has something to take back. Undefined when there is none. */
  undo(): UndoResult | undefined {
    return this.#show(this.#undo.takeUndo(), 'undo')
  }

  /** Brings back the group that was undone last and has something to bring back. Undefined when there is none. */
  redo(): UndoResult | undefined {
    return this.#show(this.#undo.takeRedo(), 'do')
  }

  /** What `undo` would do now. */
  nextUndo(): UndoAction | undefined {
    return this.#undo.nextUndo()
  }

  /** What `redo` would do now. */
  nextRedo(): UndoAction | undefined {
    return this.#undo.nextRedo()
  }

  /** The next edit begins a new undo group. */
  closeGroup(): void {
    this.#undo.close()
  }

  /** Forgets all undo groups; pending work is still sent. */
  clearUndo(): void {
    this.#undo.clear()
  }

  #show(
    taken: { group: UndoGroup; operation: TextOperation } | undefined,
    kind: PendingStep['kind'],
  ): UndoResult | undefined {
    if (!taken) return undefined
    const { group, operation } = taken
    this.#tracked.show(group, this.#enqueue(group, kind))
    this.#text.change(operation)
    const before = kind === 'undo' ? this.#undo.selectionsBefore(group) : []
    return { key: group.key, operation, selections: before.length > 0 ? before : caretsAfter(operation) }
  }

  #enqueue(group: UndoGroup, kind: 'do' | 'undo'): PendingStep {
    const step: PendingStep = { group, kind, sent: false }
    this.#queue.push(step)
    return step
  }

  #takeOver(operation: TextOperation): TextOperation {
    const local = this.#tracked.remote(operation, this.#inFlight)
    this.#text.change(local)
    this.#revision += 1
    this.#undo.closeUnkeyed()
    return local
  }

  #settle(step: PendingStep): void {
    this.#tracked.acknowledge(step)
    this.#inFlight = undefined
  }

  #checkReplay(operations: readonly AcceptedOperation[]): void {
    let expected = this.#revision
    let length = this.#tracked.serverLength
    for (const { operation, revision } of operations) {
      expected += 1
      if (revision !== expected || (operation.length > 0 && baseLength(operation) !== length)) {
        throw new OperationError('REPLAY_MISMATCH', `At revision ${revision}.`)
      }
      if (operation.length > 0) length = targetLength(operation)
    }
  }

  #isInFlight(author: AcceptedOperation['author']): boolean {
    return (
      this.#inFlight !== undefined &&
      author !== undefined &&
      author.client === this.#client &&
      author.sequence === this.#sequence
    )
  }

  #dropEmptySteps(): void {
    while (this.#queue[0] && isNoop(this.#tracked.operationOf(this.#queue[0]))) this.#queue.shift()
  }
}

/** Units that differ between two texts. */
function distance(before: string, after: string): number {
  let units = 0
  for (const component of diff(before, after)) {
    if (typeof component === 'string') units += component.length
    else if (component < 0) units -= component
  }
  return units
}
