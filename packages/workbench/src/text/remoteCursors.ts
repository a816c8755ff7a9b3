import type { ClientsArea } from '@boxyard/dev-server-client'
import { Disposable, DisposableStore } from '@codingame/monaco-vscode-api/vscode/vs/base/common/lifecycle'
import { editor } from 'monaco-editor'
import { clientRules, SHARED_RULES } from './clientStyle.ts'
import { cursorDecorations } from './cursorDecorations.ts'
import type { TextBinding } from './textBinding.ts'

/** How often own selections are sent at most, in milliseconds. */
const SELECTION_INTERVAL = 80

/** Shows where the others are in every bound file, and tells them where this person is. */
export class RemoteCursors extends Disposable {
  readonly #clients: ClientsArea
  readonly #style = document.createElement('style')

  constructor(clients: ClientsArea) {
    super()
    this.#clients = clients
    document.head.append(this.#style)
    this._register({ dispose: () => this.#style.remove() })
    this._register(clients.onDidChange(() => this.#updateStyle()))
    this.#updateStyle()
  }

  add(binding: TextBinding): void {
    const { model, file } = binding
    const subscriptions = new DisposableStore()
    let decorations: string[] = []
    const show = () => {
      decorations = model.deltaDecorations(decorations, this.#decorationsOf(binding))
    }
    subscriptions.add(file.onDidChangeSelections(show))
    subscriptions.add(this.#clients.onDidChange(show))
    subscriptions.add(model.onWillDispose(() => subscriptions.dispose()))
    show()
  }

  /** Sends the selections of an editor while it shows a bound file. */
  follow(codeEditor: editor.ICodeEditor, bindingOf: (model: editor.ITextModel) => TextBinding | undefined): void {
    let timer: ReturnType<typeof setTimeout> | undefined
    const send = () => {
      timer = undefined
      const model = codeEditor.getModel()
      const binding = model ? bindingOf(model) : undefined
      if (!model || !binding) return
      const selections = codeEditor.getSelections() ?? []
      binding.file.setSelection(
        selections.map((selection) => ({
          anchor: model.getOffsetAt({
            lineNumber: selection.selectionStartLineNumber,
            column: selection.selectionStartColumn,
          }),
          head: model.getOffsetAt({ lineNumber: selection.positionLineNumber, column: selection.positionColumn }),
        })),
      )
    }
    const subscriptions = new DisposableStore()
    subscriptions.add(
      codeEditor.onDidChangeCursorSelection(() => {
        timer ??= setTimeout(send, SELECTION_INTERVAL)
      }),
    )
    subscriptions.add(
      codeEditor.onDidDispose(() => {
        clearTimeout(timer)
        subscriptions.dispose()
      }),
    )
  }

  #decorationsOf({ model, file }: TextBinding): editor.IModelDeltaDecoration[] {
    const length = model.getValueLength()
    return [...file.selections].flatMap(([clientId, selections]) => {
      const client = this.#clients.all.find((one) => one.clientId === clientId)
      if (!client || clientId === this.#clients.self?.clientId) return []
      return cursorDecorations(clientId, client.name, selections, length).map(({ start, end, classes, hover }) => {
        const from = model.getPositionAt(start)
        const to = model.getPositionAt(end)
        return {
          range: {
            startLineNumber: from.lineNumber,
            startColumn: from.column,
            endLineNumber: to.lineNumber,
            endColumn: to.column,
          },
          options: {
            description: 'boxyard-remote-selection',
            className: classes.selection ?? null,
            beforeContentClassName: classes.caretBefore ?? null,
            afterContentClassName: classes.caretAfter ?? null,
            hoverMessage: { value: hover.replace(/[^\p{L}\p{N} ]/gu, '\\$&') },
            stickiness: editor.TrackedRangeStickiness.NeverGrowsWhenTypingAtEdges,
          },
        }
      })
    })
  }

  #updateStyle(): void {
    this.#style.textContent = SHARED_RULES + this.#clients.all.map(clientRules).join('')
  }
}
