import { editor } from 'monaco-editor'
import { isBoxUri } from '../files/boxUri.ts'
import type { EditorPlace } from '../index.ts'

/** Where the first text editor of the workspace stands on the page. */
export function editorPlace(workspacePath: string): EditorPlace | undefined {
  for (const one of editor.getEditors()) {
    const uri = one.getModel()?.uri
    const node = one.getDomNode()
    if (!uri || !isBoxUri(uri) || !uri.path.startsWith(`${workspacePath}/`) || !node?.checkVisibility()) continue
    // Small editors, as in the source control view, are no place to begin at.
    if (!node.closest('.editor-instance')) continue
    const { left, top, width, height } = node.getBoundingClientRect()
    return {
      path: uri.path.slice(workspacePath.length + 1),
      left,
      top,
      width,
      height,
      contentLeft: contentLeftOf(one),
      fontSize: one.getOption(editor.EditorOption.fontInfo).fontSize,
      lineHeight: one.getOption(editor.EditorOption.lineHeight),
    }
  }
  return undefined
}

/** Pixels beside the numbers of lines, without and for what folds. */
const DECORATIONS = 10
const FOLDING = 16

/** Where the text begins in an editor that has just opened: comments make room for themselves beside it, later. */
function contentLeftOf(one: editor.ICodeEditor): number {
  const { contentLeft, decorationsWidth } = one.getLayoutInfo()
  const folds =
    one.getOption(editor.EditorOption.folding) && one.getOption(editor.EditorOption.showFoldingControls) !== 'never'
  return contentLeft - decorationsWidth + DECORATIONS + (folds ? FOLDING : 0)
}
