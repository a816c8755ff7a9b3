import './quickDiffGutter.css'
import { Disposable, DisposableStore } from '@codingame/monaco-vscode-api/vscode/vs/base/common/lifecycle'
import type { IQuickDiffModelService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/scm/browser/quickDiffModel.service'
import {
  ChangeType,
  getModifiedEndLineNumber,
  type QuickDiffChange,
} from '@codingame/monaco-vscode-api/vscode/vs/workbench/contrib/scm/common/quickDiff'
import type { ITextFileService } from '@codingame/monaco-vscode-api/vscode/vs/workbench/services/textfile/common/textfiles.service'
import { editor, Range } from 'monaco-editor'

const classes = {
  [ChangeType.Add]: 'boxyard-diff-added',
  [ChangeType.Modify]: 'boxyard-diff-modified',
  [ChangeType.Delete]: 'boxyard-diff-deleted',
} as const
const rulerColors = {
  [ChangeType.Add]: 'editorOverviewRuler.addedForeground',
  [ChangeType.Modify]: 'editorOverviewRuler.modifiedForeground',
  [ChangeType.Delete]: 'editorOverviewRuler.deletedForeground',
} as const

/** Marks beside the text what changed since the last commit. This build of the workbench computes that and has nobody to show it. */
export class QuickDiffGutter extends Disposable {
  readonly #diffs: IQuickDiffModelService
  readonly #files = new Map<
    editor.ITextModel,
    { changes(): readonly QuickDiffChange[]; original(): editor.ITextModel | undefined }
  >()

  constructor(diffs: IQuickDiffModelService, textFiles: ITextFileService) {
    super()
    this.#diffs = diffs
    this._register(textFiles.files.onDidResolve(({ model }) => this.#follow(model.textEditorModel)))
    for (const { textEditorModel } of textFiles.files.models) this.#follow(textEditorModel)
  }

  /** The changes of a text that touch these lines, and the text before them. */
  changesIn(
    model: editor.ITextModel,
    lines: readonly Range[],
  ): { changes: QuickDiffChange[]; original: editor.ITextModel | undefined } {
    const file = this.#files.get(model)
    const touches = ({ change }: QuickDiffChange) => {
      // What was deleted stands between two lines and is touched from both.
      const isDeleted = changeType(change) === ChangeType.Delete
      const first = change.modifiedStartLineNumber
      const last = isDeleted ? first + 1 : getModifiedEndLineNumber(change)
      return lines.some((one) => one.startLineNumber <= last && one.endLineNumber >= first)
    }
    return { changes: file?.changes().filter(touches) ?? [], original: file?.original() }
  }

  #follow(model: editor.ITextModel | null): void {
    if (!model || this.#files.has(model)) return
    const reference = this.#diffs.createQuickDiffModelReference(model.uri)
    if (!reference) return
    const { object } = reference
    let decorations: string[] = []
    this.#files.set(model, {
      changes: () => object.changes,
      original: () => [...object.originalTextModels][0],
    })
    const following = new DisposableStore()
    following.add(reference)
    following.add(
      object.onDidChange(({ changes }) => {
        if (model.isDisposed()) return
        decorations = model.deltaDecorations(decorations, changes.map(decorationOf))
      }),
    )
    following.add(
      model.onWillDispose(() => {
        this.#files.delete(model)
        following.dispose()
      }),
    )
    this._register(following)
  }
}

/** Lines are 0 where one side has none. */
function changeType({ originalEndLineNumber, modifiedEndLineNumber }: QuickDiffChange['change']): ChangeType {
  if (originalEndLineNumber === 0) return ChangeType.Add
  return modifiedEndLineNumber === 0 ? ChangeType.Delete : ChangeType.Modify
}

function decorationOf({ change }: QuickDiffChange): editor.IModelDeltaDecoration {
  const type = changeType(change)
  const first = Math.max(1, change.modifiedStartLineNumber)
  const last = type === ChangeType.Delete ? first : getModifiedEndLineNumber(change)
  return {
    range: new Range(first, 1, last, 1),
    options: {
      isWholeLine: type !== ChangeType.Delete,
      linesDecorationsClassName: classes[type],
      overviewRuler: { color: { id: rulerColors[type] }, position: editor.OverviewRulerLane.Left },
    },
  }
}
