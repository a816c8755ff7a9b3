import type { ICodeEditor } from '@codingame/monaco-vscode-api/vscode/vs/editor/browser/editorBrowser'
import type { IPosition } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/core/position'

/** Milliseconds that a selection stays before it is taken for one that something is to be done with. */
const SETTLED_MS = 1000

export type SelectingEditor = Pick<
  ICodeEditor,
  'getSelection' | 'onDidChangeCursorSelection' | 'onDidScrollChange' | 'onDidChangeModel'
>

/** Says where a selection that has settled begins, and `undefined` once it changes or the text scrolls. */
export function followSelection(
  editor: SelectingEditor,
  isOffered: () => boolean,
  show: (position: IPosition | undefined) => void,
): { dispose(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isShown = false
  const hide = () => {
    clearTimeout(timer)
    if (isShown) show(undefined)
    isShown = false
  }
  const wait = () => {
    hide()
    const selection = editor.getSelection()
    if (!selection || selection.isEmpty()) return
    timer = setTimeout(() => {
      if (!isOffered()) return
      isShown = true
      show(selection.getStartPosition())
    }, SETTLED_MS)
  }
  const subscriptions = [
    editor.onDidChangeCursorSelection(wait),
    editor.onDidScrollChange(hide),
    editor.onDidChangeModel(hide),
  ]
  return {
    dispose: () => {
      hide()
      for (const subscription of subscriptions) subscription.dispose()
    },
  }
}
