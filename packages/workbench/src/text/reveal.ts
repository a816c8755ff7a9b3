import { editor, Range } from 'monaco-editor'
import type { ChangedStretch, TextBinding } from './textBinding.ts'

/** Puts the caret behind a changed stretch, in the editor that shows it, and scrolls there where needed. */
export function reveal({ model }: TextBinding, { end }: ChangedStretch): void {
  const shown = editor.getEditors().filter((one) => one.getModel() === model)
  const target = shown.find((one) => one.hasTextFocus()) ?? shown[0]
  if (!target) return
  const position = model.getPositionAt(end)
  target.setPosition(position)
  target.revealRangeInCenterIfOutsideViewport(Range.fromPositions(position))
}
