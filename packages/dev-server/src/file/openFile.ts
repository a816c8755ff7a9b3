import {
  apply,
  targetLength,
  transformSelection,
  DocumentHistory,
  type DocumentSnapshot,
  type TextOperation,
} from '@boxyard/ot'
import { savedHash, type Selection } from '@boxyard/protocol'
import type { Connection } from '../area.ts'
import type { JournalRecord } from '../journal/records.ts'
import type { StoredDocument } from '../journal/storedState.ts'
import { SerialQueue } from '../serialQueue.ts'

interface OpenFileBase {
  /** Id in the tree, or one made of the path for a file outside of it. */
  id: string
  /** Absolute. */
  path: string
  /** Who has it open, with the selections of each. */
  readonly openers: Map<Connection, Selection[] | null>
  /** Saving and reading the disk, one at a time. */
  readonly disk: SerialQueue
}

export interface BinaryFile extends OpenFileBase {
  readonly isBinary: true
  content: Uint8Array<ArrayBuffer>
  savedHash: string
}

/** A text that people edit together. */
export class TextDocument implements OpenFileBase {
  readonly isBinary = false
  id: string
  path: string
  readonly openers = new Map<Connection, Selection[] | null>()
  readonly disk = new SerialQueue()
  /** Holds operations that are not durable yet: nobody is told of them before they are. */
  history: DocumentHistory
  /** What the file holds as far as is known. */
  savedText: string
  /** What is being written to the file, or may be there after a failed write. */
  saving: string | null
  /** Whether the journal knows the document. */
  journaled: boolean
  /** What to go back to when the first records can't be written. Null once the journal has them. */
  initial: DocumentSnapshot | null
  /** Whether there is no file at the path. */
  missing = false
  /** A text the document had, from where its later texts can be found again. */
  #anchor: { text: string; revision: number }

  constructor(options: { id: string; path: string; text: string; revision: number } | StoredDocument) {
    this.id = options.id
    this.path = options.path
    if ('history' in options) {
      this.history = options.history
      this.savedText = options.savedText
      this.saving = options.saving
      this.journaled = true
      this.initial = null
    } else {
      this.initial = { text: options.text, revision: options.revision }
      this.history = new DocumentHistory(this.initial)
      this.savedText = options.text
      this.saving = null
      this.journaled = false
    }
    this.#anchor = { text: this.history.text, revision: this.history.revision }
  }

  get isDirty(): boolean {
    return this.history.length !== this.savedText.length || this.history.text !== this.savedText
  }

  get savedHash(): string {
    return savedHash(this.savedText)
  }

  /** Goes back to what the journal has, or to the beginning when it has nothing. */
  restore(stored: StoredDocument | undefined): void {
    if (stored) {
      this.history = stored.history
      this.savedText = stored.savedText
      this.saving = stored.saving
    } else if (this.initial) {
      this.history = new DocumentHistory(this.initial)
    }
    this.journaled = stored !== undefined
    this.#anchor = { text: this.history.text, revision: this.history.revision }
  }

  /** The journal does not know the document anymore. */
  forgotten(): void {
    this.journaled = false
    this.initial = this.history.snapshot()
  }

  /** Begins a new count of revisions: operations of another run must not be mistaken for this one's. */
  renumber(revision: number): void {
    this.history = new DocumentHistory({ text: this.history.text, revision })
    this.#anchor = { text: this.history.text, revision }
  }

  moveSelections(operation: TextOperation): void {
    for (const [connection, selections] of this.openers) {
      if (!selections) continue
      this.openers.set(
        connection,
        selections.map((selection) => transformSelection(selection, operation)),
      )
    }
  }

  /**
   * Whether the document had this text since it was last known to agree with something. Then a file with this text was written
   * by somebody who saved an earlier state, not by somebody who changed the text elsewhere.
   */
  had(text: string): boolean {
    if (this.#anchor.revision < this.history.oldestRevision) return false
    let { text: at, revision } = this.#anchor
    let waiting: TextOperation[] = []
    for (const { operation, revision: next } of this.history.operationsSince(revision)) {
      waiting.push(operation)
      if (targetLength(operation) !== text.length) continue
      for (const operation of waiting) at = apply(at, operation)
      waiting = []
      revision = next
      if (at === text) break
    }
    this.#anchor = { text: at, revision }
    return at === text
  }

  /** The whole document as one record. */
  record(): JournalRecord {
    const { text, revision, operations, lastAccepted } = this.history.snapshot()
    return {
      kind: 'document',
      id: this.id,
      path: this.path,
      text,
      ...(this.savedText !== text && { savedText: this.savedText }),
      ...(this.saving !== null && { saving: this.saving }),
      revision,
      operations: operations.map((accepted) => ({ ...accepted, operation: [...accepted.operation] })),
      lastAccepted: [...lastAccepted],
    }
  }
}

export type OpenFile = TextDocument | BinaryFile
