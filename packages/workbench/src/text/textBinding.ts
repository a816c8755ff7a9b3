import { Emitter, type TextFile, type UndoGroup } from '@boxyard/dev-server-client'
import { diff, isNoop, transform, type TextOperation } from '@boxyard/ot'
import type { editor, IDisposable } from 'monaco-editor'
import { changesToOperation, operationToEdits } from './modelChange.ts'

/** The values of the editor's enumeration of line ends, which exists only where the editor is loaded. */
const LF: editor.EndOfLineSequence.LF = 0
const CRLF: editor.EndOfLineSequence.CRLF = 1

export interface TextBindingOptions {
  model: editor.ITextModel
  file: TextFile
  /** The text that the model was created with, before anybody typed into it. */
  initialText: string
  canWrite: boolean
  /** The element of the undo stack that edits belong to; edits of one element are undone together. */
  undoGroup(): UndoGroup
}

/**
 * Keeps an editor's model and a file of the box in step: what is typed becomes operations, what others do is applied to the
 * model. Exactly one of the two sides changes at a time, so the file's text is always the model's text before the change.
 */
export class TextBinding {
  readonly model: editor.ITextModel
  readonly file: TextFile
  readonly #options: TextBindingOptions
  readonly #subscriptions: IDisposable[]
  readonly #edits = new Emitter<void>()
  /** This person has changed the text. */
  readonly onDidEdit = this.#edits.event
  #applying = false
  #saves = 0
  #disposed = false

  constructor(options: TextBindingOptions) {
    this.model = options.model
    this.file = options.file
    this.#options = options
    this.#meet(options.initialText)
    this.#subscriptions = [
      this.model.onDidChangeContent((event) => this.#onModelChange(event)),
      this.file.onDidApplyRemote(({ operation }) => this.#applyToModel(operation)),
    ]
  }

  get isSaving(): boolean {
    return this.#saves > 0
  }

  /** Saves what the model holds now; resolves when it is on disk. */
  async save(): Promise<void> {
    this.#saves += 1
    try {
      await this.file.save()
    } finally {
      this.#saves -= 1
    }
  }

  /** Makes an operation an edit of this person. @returns false for somebody who may not write */
  bringIn(operation: TextOperation): boolean {
    if (!this.#options.canWrite) return false
    // A step of its own, so that one undo takes it out again.
    this.file.edit(operation, {})
    this.file.closeGroup()
    this.#applyToModel(operation)
    return true
  }

  /** Undoes the newest edits of this person that are still in force. @returns where the text changed, if it did */
  undo(): ChangedStretch | undefined {
    return this.#replay(this.file.undo())
  }

  redo(): ChangedStretch | undefined {
    return this.#replay(this.file.redo())
  }

  dispose(): void {
    if (this.#disposed) return
    this.#disposed = true
    for (const subscription of this.#subscriptions) subscription.dispose()
    this.file.dispose()
  }

  /** Brings both sides to one text: what was typed while the file was being opened is an edit, everything else is theirs. */
  #meet(initialText: string): void {
    const { model, file } = this
    const uniformCrlf = file.text.includes('\n') && !/(^|[^\r])\n/.test(file.text) && !/\r(?!\n)/.test(file.text)
    this.#withoutEcho(() => model.setEOL(uniformCrlf ? CRLF : LF))
    const text = model.getValue()
    if (text === file.text) return
    const base = uniformCrlf ? initialText.replace(/\r?\n/g, '\r\n') : initialText.replace(/\r\n?/g, '\n')
    const [typed, theirs] = transform(diff(base, text), diff(base, file.text))
    // The file first: afterwards its text is the one that the model has to have.
    if (this.#options.canWrite && !isNoop(typed)) file.edit(typed, this.#options.undoGroup())
    this.#applyToModel(theirs)
  }

  #onModelChange(event: editor.IModelContentChangedEvent): void {
    if (this.#applying) return
    const operation = changesToOperation(event.changes, this.file.text, {
      length: this.model.getValueLength(),
      read: () => this.model.getValue(),
    })
    if (isNoop(operation)) return
    this.file.edit(operation, this.#options.undoGroup())
    this.#edits.fire()
  }

  #replay(operation: TextOperation | undefined): ChangedStretch | undefined {
    if (!operation) return undefined
    this.#applyToModel(operation)
    return lastChange(operation)
  }

  /** The file has taken the operation in already. */
  #applyToModel(operation: TextOperation): void {
    const { model, file } = this
    this.#withoutEcho(() => {
      this.#applyEdits(operation)
      // A text with mixed line ends, or an edit that this binding has not seen: theirs wins, as a small difference.
      if (model.getValueLength() !== file.text.length) this.#applyEdits(diff(model.getValue(), file.text))
    })
  }

  #applyEdits(operation: TextOperation): void {
    const { model } = this
    model.applyEdits(
      operationToEdits(operation).map(({ start, end, text }) => {
        const from = model.getPositionAt(start)
        const to = model.getPositionAt(end)
        const range = {
          startLineNumber: from.lineNumber,
          startColumn: from.column,
          endLineNumber: to.lineNumber,
          endColumn: to.column,
        }
        // An insert at somebody's caret stays right of it, as the order of operations says.
        return { range, text, forceMoveMarkers: false }
      }),
    )
  }

  #withoutEcho(change: () => void): void {
    this.#applying = true
    try {
      change()
    } finally {
      this.#applying = false
    }
  }
}

/** Offsets in UTF-16 units of the text after the change. */
export interface ChangedStretch {
  start: number
  end: number
}

function lastChange(operation: TextOperation): ChangedStretch | undefined {
  let shift = 0
  let stretch: ChangedStretch | undefined
  for (const { start, end, text } of operationToEdits(operation)) {
    stretch = { start: start + shift, end: start + shift + text.length }
    shift += text.length - (end - start)
  }
  return stretch
}
