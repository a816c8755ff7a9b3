import { apply } from '@boxyard/ot'
import type { TextOperation } from '@boxyard/ot'
import type { TextFile, UndoGroup } from '../api.ts'
import type { Disposable } from '../event.ts'

/** What was taken back or brought again, and the group that it belongs to. */
export interface Retraction {
  operation: TextOperation
  key: unknown
}

/** Somebody who edits a file that others edit too. */
export interface Author {
  /** What this person sees. */
  readonly text: string
  /** @returns the group that the edit belongs to; one that `begins` is the first of its group */
  edit(operation: TextOperation, begins: boolean): unknown
  undo(): Retraction | undefined
  redo(): Retraction | undefined
  /** Stops to follow the file. */
  dispose(): void
}

/** An author whose editor is a string: every operation that the file hands out is applied to it. */
export class StringAuthor implements Author {
  readonly #file: TextFile
  /** Without keys the groups end where the file says, and belong to nobody's key. */
  readonly #hasKeys: boolean
  readonly #remote: Disposable
  #key = 0
  text: string

  constructor(file: TextFile, hasKeys: boolean) {
    this.#file = file
    this.#hasKeys = hasKeys
    this.text = file.text
    this.#remote = file.onDidApplyRemote(({ operation }) => (this.text = apply(this.text, operation)))
  }

  edit(operation: TextOperation, begins: boolean): UndoGroup | undefined {
    if (begins) this.#key += 1
    const key = this.#hasKeys ? this.#key : undefined
    this.text = apply(this.text, operation)
    this.#file.edit(operation, key)
    return key
  }

  undo(): Retraction | undefined {
    return this.#take(this.#file.nextUndo(), this.#file.undo())
  }

  redo(): Retraction | undefined {
    return this.#take(this.#file.nextRedo(), this.#file.redo())
  }

  dispose(): void {
    this.#remote.dispose()
  }

  #take(next: Retraction | undefined, operation: TextOperation | undefined): Retraction | undefined {
    this.#key += 1
    if (!operation) return undefined
    if (JSON.stringify(next?.operation) !== JSON.stringify(operation))
      throw new Error('It was not what was to be next.')
    this.text = apply(this.text, operation)
    return { operation, key: next?.key }
  }
}
