import type { TextFile } from '@boxyard/dev-server-client'
import type { Author, Retraction } from '@boxyard/dev-server-client/testing'
import { apply, type TextOperation } from '@boxyard/ot'
import { editor } from 'monaco-editor'
import { boxUri } from '../../src/files/boxUri.ts'
import { operationToEdits } from '../../src/text/modelChange.ts'
import { TextBinding } from '../../src/text/textBinding.ts'
import type { GroupedUndo } from '../../src/text/undoService.ts'

export interface EditorAuthorOptions {
  file: TextFile
  /** The path of the model, of which the page has one. */
  path: string
  bindings: Map<string, TextBinding>
  groups: GroupedUndo
}

/** The part of an editor's model that its commands for undo and redo use, which its public interface leaves out. */
interface UndoableModel {
  undo(): void
  redo(): void
}

/** Somebody with an editor, its model and its undo stack, bound to the file as the workbench does it. */
export class EditorAuthor implements Author {
  readonly #file: TextFile
  readonly #path: string
  readonly #bindings: Map<string, TextBinding>
  readonly #groups: GroupedUndo
  readonly #editor: editor.IStandaloneCodeEditor
  readonly #model: editor.ITextModel

  constructor({ file, path, bindings, groups }: EditorAuthorOptions) {
    this.#file = file
    this.#path = path
    this.#bindings = bindings
    this.#groups = groups
    const element = document.body.appendChild(document.createElement('div'))
    this.#model = editor.createModel(file.text, 'plaintext', boxUri(path))
    this.#editor = editor.create(element, { model: this.#model })
    bindings.set(
      path,
      new TextBinding({
        model: this.#model,
        file,
        initialText: file.text,
        canWrite: true,
        undoGroup: () => groups.undoGroup(path),
      }),
    )
  }

  get text(): string {
    return this.#model.getValue()
  }

  edit(operation: TextOperation, begins: boolean): unknown {
    if (begins) this.#editor.pushUndoStop()
    this.#editor.executeEdits(
      'author',
      operationToEdits(operation).map(({ start, end, text }) => {
        const [from, to] = [this.#model.getPositionAt(start), this.#model.getPositionAt(end)]
        return {
          range: {
            startLineNumber: from.lineNumber,
            startColumn: from.column,
            endLineNumber: to.lineNumber,
            endColumn: to.column,
          },
          text,
        }
      }),
    )
    return this.#groups.undoGroup(this.#path)
  }

  undo(): Retraction | undefined {
    return this.#take(this.#file.nextUndo(), () => (this.#model as unknown as UndoableModel).undo())
  }

  redo(): Retraction | undefined {
    return this.#take(this.#file.nextRedo(), () => (this.#model as unknown as UndoableModel).redo())
  }

  dispose(): void {
    this.#bindings.get(this.#path)?.dispose()
    this.#bindings.delete(this.#path)
    this.#editor.dispose()
    this.#model.dispose()
  }

  #take(next: Retraction | undefined, command: () => void): Retraction | undefined {
    const expected = next ? apply(this.text, next.operation) : this.text
    command()
    if (this.text !== expected) throw new Error('It was not what was to be next.')
    return next
  }
}
