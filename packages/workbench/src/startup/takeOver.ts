import { diff, transform, transformSelection } from '@boxyard/ot'
import { getService, IEditorService } from '@codingame/monaco-vscode-api'
import { editor, Range } from 'monaco-editor'
import { isBoxUri } from '../files/boxUri.ts'
import { boxUri } from '../files/boxUri.ts'
import type { FirstText } from '../index.ts'
import { operationToEdits } from '../text/modelChange.ts'
import { firstTextShown } from './firstTextShown.ts'

/**
 * Puts the editor in the place of the text that the page showed first: what was typed there is typed here, caret, scroll and focus
 * come along. From the last look at the early view to its end nothing is waited for, so no key is lost in between. Until then
 * `element`, which holds the workbench, has to be inert: a workbench that starts takes the focus several times.
 */
export async function takeOver(first: FirstText, element: HTMLElement, workspacePath: string): Promise<void> {
  const path = `${workspacePath}/${first.path}`
  await firstTextShown()
  let target = editorOf(path)
  if (!target && first.now().text !== first.base) {
    const editors = await getService(IEditorService)
    await editors.openEditor({ resource: boxUri(path), options: { pinned: true } })
    await firstTextShown()
    target = editorOf(path)
    // The file is gone: the early view stays, so that what was typed can be copied.
    if (!target) throw new Error(`${first.path} can't be opened any more. Copy what you typed from the page.`)
  }
  await first.settled()
  element.inert = false
  if (target) putInto(target, first)
  first.taken()
}

function editorOf(path: string): editor.ICodeEditor | undefined {
  return editor.getEditors().find((one) => {
    const uri = one.getModel()?.uri
    return uri && isBoxUri(uri) && uri.path === path && isShown(one)
  })
}

function isShown(one: editor.ICodeEditor): boolean {
  return one.getDomNode()?.checkVisibility() === true
}

function putInto(target: editor.ICodeEditor, first: FirstText): void {
  const model = target.getModel()
  if (!model) return
  const { text, anchor, head, hasFocus, scrollTop, scrollLeft } = first.now()
  const present = model.getValue(editor.EndOfLinePreference.LF)
  const [typed, theirs] = transform(diff(first.base, text), diff(first.base, present))
  const edits = operationToEdits(typed).map(({ start, end, text: inserted }) => ({
    range: Range.fromPositions(positionAt(present, start), positionAt(present, end)),
    text: inserted,
  }))
  if (edits.length > 0) {
    target.pushUndoStop()
    target.executeEdits('boxyard.first-text', edits)
    target.pushUndoStop()
  }
  if (!hasFocus) return
  const after = model.getValue(editor.EndOfLinePreference.LF)
  const selection = transformSelection({ anchor, head }, theirs)
  target.setSelection(
    Range.fromPositions(positionAt(after, selection.anchor), positionAt(after, selection.head)),
    'boxyard.first-text',
  )
  target.setScrollPosition({ scrollTop, scrollLeft })
  target.focus()
}

/** By lines instead of the model's own offsets: those count two units for each line end of some files. */
function positionAt(text: string, offset: number): { lineNumber: number; column: number } {
  const before = text.slice(0, offset).split('\n')
  return { lineNumber: before.length, column: before.at(-1)!.length + 1 }
}
