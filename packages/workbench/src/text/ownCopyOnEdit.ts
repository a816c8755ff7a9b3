import type { ICodeEditorService } from '@codingame/monaco-vscode-api/vscode/vs/editor/browser/services/codeEditorService.service'
import type { ICodeEditor } from '@codingame/monaco-vscode-api/vscode/vs/editor/browser/editorBrowser'
import { EndOfLinePreference } from '@codingame/monaco-vscode-api/vscode/vs/editor/common/model'
import { isBoxUri } from '../files/boxUri.ts'
import { TypedCopy, type OwnEdit } from './typedCopy.ts'

export interface OwnCopyOptions {
  workspacePath: string
  /** Makes the copy, or the branch, and opens it. `edit` says what was typed until it is called. */
  begin(edit: () => OwnEdit): Promise<void>
}

/**
 * Where this person may not edit, the first try to edit makes a branch or a copy of their own. What they type meanwhile is taken along; when it
 * fails, nothing has changed, and the next try is a new one.
 */
export function ownCopyOnEdit(editors: ICodeEditorService, { workspacePath, begin }: OwnCopyOptions): void {
  let running: { editor: ICodeEditor; copy: TypedCopy } | undefined

  const follow = (editor: ICodeEditor): void => {
    /** The last key or paste: what the editor refuses next is that, or a command without any text. */
    let taking: ((copy: TypedCopy) => void) | undefined
    const take = (change: (copy: TypedCopy) => void): void => {
      if (running?.editor === editor) change(running.copy)
      else taking = change
    }
    const isText = () => editor.hasTextFocus() && !editor.getModel()?.uri.scheme.startsWith('comment')
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !isText()) return
      take((copy) => copy.press(event.key))
    }
    const onPaste = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData('text/plain')
      if (text && isText()) take((copy) => copy.insert(text))
    }
    const node = editor.getContainerDomNode()
    node.addEventListener('keydown', onKey, true)
    node.addEventListener('paste', onPaste, true)
    editor.onDidAttemptReadOnlyEdit(() => {
      const model = editor.getModel()
      const selection = editor.getSelection()
      if (running || !selection || !model || !isBoxUri(model.uri) || !model.uri.path.startsWith(`${workspacePath}/`))
        return
      const offset = (line: number, column: number) => {
        const before = model.getValueInRange(
          { startLineNumber: 1, startColumn: 1, endLineNumber: line, endColumn: column },
          EndOfLinePreference.LF,
        )
        return before.length
      }
      const copy = new TypedCopy({
        path: model.uri.path.slice(workspacePath.length + 1),
        base: model.getValue(EndOfLinePreference.LF),
        start: offset(selection.startLineNumber, selection.startColumn),
        end: offset(selection.endLineNumber, selection.endColumn),
      })
      taking?.(copy)
      taking = undefined
      running = { editor, copy }
      const stop = () => (running = undefined)
      begin(() => copy.edit).then(stop, stop)
    })
  }
  for (const editor of editors.listCodeEditors()) follow(editor)
  editors.onCodeEditorAdd(follow)
}
