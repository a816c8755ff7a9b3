import { DocumentHistory, type DocumentSnapshot } from '@boxyard/ot'
import type { JournalRecord } from './records.ts'

/** A document as the journal has it. */
export interface StoredDocument {
  id: string
  path: string
  history: DocumentHistory
  /** What the file holds as far as the dev server knows. */
  savedText: string
  /** The text that was being written to the file at the end of the journal, or null. */
  saving: string | null
}

/** Everything the journal says, by replaying its records in order. */
export class StoredState {
  readonly documents = new Map<string, StoredDocument>()
  readonly ids = new Map<string, string>()

  constructor(records: Iterable<JournalRecord>) {
    for (const record of records) this.#replay(record)
  }

  #replay(record: JournalRecord): void {
    if (record.kind === 'document') {
      const { id, path, text, savedText, saving, revision, operations, lastAccepted } = record
      const history = new DocumentHistory({ text, revision, operations, lastAccepted } satisfies DocumentSnapshot)
      this.documents.set(id, { id, path, history, savedText: savedText ?? text, saving: saving ?? null })
      return
    }
    if (record.kind === 'ids') {
      for (const [path, id] of record.ids) {
        if (id === null) this.ids.delete(path)
        else this.ids.set(path, id)
      }
      return
    }
    const document = this.documents.get(record.id)
    if (!document)
      throw new Error(`The journal has a record of a document it does not know: ${record.kind} ${record.id}`)
    if (record.kind === 'operation') {
      document.history.receive(record.operation, document.history.revision, record.author)
    } else if (record.kind === 'disk') {
      document.savedText = record.savedText
      if (record.operation) document.history.receive(record.operation, document.history.revision)
    } else if (record.kind === 'saving') {
      document.saving = document.history.text
    } else if (record.kind === 'saved') {
      document.savedText = document.saving ?? document.savedText
      document.saving = null
    } else if (record.kind === 'path') {
      document.path = record.path
    } else {
      this.documents.delete(record.id)
    }
  }
}
