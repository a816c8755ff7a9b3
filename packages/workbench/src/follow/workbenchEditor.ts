import { getService, IEditorService } from '@codingame/monaco-vscode-api'
import type { Uri } from 'monaco-editor'
import { editor } from 'monaco-editor'
import { boxUri, isBoxUri } from '../files/boxUri.ts'
import type { TextSync } from '../text/textSync.ts'
import type { FollowedEditor } from './following.ts'

/** The workbench's editors, as far as following needs them. */
export async function workbenchEditor(sync: TextSync, workspacePath: string): Promise<FollowedEditor> {
  const editors = await getService(IEditorService)
  const within = (uri: Uri | undefined) =>
    uri && isBoxUri(uri) && uri.path.startsWith(`${workspacePath}/`)
      ? uri.path.slice(workspacePath.length + 1)
      : undefined
  const fileOf = (one: editor.ICodeEditor) => within(one.getModel()?.uri)
  // Small editors, as in the source control view, and the sides of a difference are no place to be.
  const shown = () => editor.getEditors().filter((one) => fileOf(one) && one.getDomNode()?.closest('.editor-instance'))
  const active = () => shown().find((one) => fileOf(one) === within(editors.activeEditor?.resource))
  return {
    focus() {
      const one = active()
      const filepath = one && fileOf(one)
      const [first] = one?.getVisibleRanges() ?? []
      const last = one?.getVisibleRanges().at(-1)
      if (!one || !filepath || !first || !last) return undefined
      return {
        type: 'FOCUS_FILE',
        filepath,
        visibleLines: [first.startLineNumber, last.endLineNumber],
        currentLine: one.getPosition()?.lineNumber ?? first.startLineNumber,
      }
    },
    async show({ filepath, visibleLines: [first, last], currentLine }) {
      const resource = boxUri(`${workspacePath}/${filepath}`)
      if (within(resource) !== filepath) return
      if (within(editors.activeEditor?.resource) !== filepath)
        await editors.openEditor({ resource, options: { pinned: true, preserveFocus: true } })
      const one = shown().find((each) => fileOf(each) === filepath)
      if (!one) return
      one.setScrollTop(one.getTopForLineNumber(first))
      // Where less fits here, the line they are at counts.
      const [here] = one.getVisibleRanges()
      if (here && currentLine <= last && currentLine > here.endLineNumber) one.revealLineInCenter(currentLine)
    },
    isVisible: (filepath) => editors.visibleEditors.some(({ resource }) => within(resource) === filepath),
    onDidMove(listener) {
      const follow = (one: editor.ICodeEditor) => {
        const subscriptions = [
          one.onDidScrollChange(listener),
          one.onDidChangeCursorPosition(listener),
          one.onDidDispose(() => {
            for (const subscription of subscriptions) subscription.dispose()
          }),
        ]
      }
      editor.onDidCreateEditor(follow)
      for (const one of editor.getEditors()) follow(one)
      editors.onDidActiveEditorChange(listener)
    },
    onDidChangeVisible: (listener) => void editors.onDidVisibleEditorsChange(listener),
    onDidEdit(listener) {
      sync.onDidBind((binding) => binding.onDidEdit(listener))
      for (const binding of sync.bindings.values()) binding.onDidEdit(listener)
    },
  }
}
