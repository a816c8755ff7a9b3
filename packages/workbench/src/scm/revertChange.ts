import type { editor, IRange } from 'monaco-editor'
import type { QuickDiffChange } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/scm/common/quickDiff'

/** The edits that give the changed lines of a text the text they had before. Line numbers are those of git: 0 is before the first line. */
export function revertEdits(
  model: Pick<editor.ITextModel, 'getLineCount' | 'getLineMaxColumn'>,
  original: Pick<editor.ITextModel, 'getValueInRange' | 'getLineMaxColumn' | 'getLineCount'>,
  changes: readonly Pick<QuickDiffChange, 'change'>[],
): { range: IRange; text: string }[] {
  return changes.map(({ change }) => {
    const { originalStartLineNumber, originalEndLineNumber, modifiedStartLineNumber, modifiedEndLineNumber } = change
    const isAdded = originalEndLineNumber === 0
    const isDeleted = modifiedEndLineNumber === 0
    const before = isAdded
      ? ''
      : original.getValueInRange(
          range(originalStartLineNumber, 1, originalEndLineNumber, original.getLineMaxColumn(originalEndLineNumber)),
        )
    if (isDeleted) {
      const line = modifiedStartLineNumber
      // Between two lines: behind the one before, or in front of the first.
      return line === 0
        ? { range: range(1, 1, 1, 1), text: `${before}\n` }
        : {
            range: range(line, model.getLineMaxColumn(line), line, model.getLineMaxColumn(line)),
            text: `\n${before}`,
          }
    }
    if (!isAdded) {
      const end = model.getLineMaxColumn(modifiedEndLineNumber)
      return { range: range(modifiedStartLineNumber, 1, modifiedEndLineNumber, end), text: before }
    }
    // With the line break behind the lines, or the one before when they are the last.
    if (modifiedEndLineNumber < model.getLineCount())
      return { range: range(modifiedStartLineNumber, 1, modifiedEndLineNumber + 1, 1), text: '' }
    const end = model.getLineMaxColumn(modifiedEndLineNumber)
    if (modifiedStartLineNumber === 1) return { range: range(1, 1, modifiedEndLineNumber, end), text: '' }
    const line = modifiedStartLineNumber - 1
    return { range: range(line, model.getLineMaxColumn(line), modifiedEndLineNumber, end), text: '' }
  })
}

function range(startLineNumber: number, startColumn: number, endLineNumber: number, endColumn: number): IRange {
  return { startLineNumber, startColumn, endLineNumber, endColumn }
}
